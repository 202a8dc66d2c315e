<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AdvancedPage</name>
    <message>
        <source>Advanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where things lie, and what to send with a report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index and memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index health…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was read, what was skipped, and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>Rebuild the index?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every session is read anew, in the background. Search goes on with what is in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuild index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{figures} can be searched now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Backscroll&apos;s search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This desktop has no tray.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} and the application menu still open this window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install the AppIndicator extension, or bind “backscroll toggle” to a key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bind “backscroll toggle” to a key, or open Backscroll from the application menu.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>{filter}, remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {filter}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChipRow</name>
    <message>
        <source>Understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Said by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since Monday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 90 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This year</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>exit {code}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[image]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln more characters are not shown</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Backscroll met an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last run ended by an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your sessions and settings are not harmed. The report holds nothing of what was said.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dates</name>
    <message>
        <source>No date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n weeks ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Updated %n s ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n min ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n h ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n days ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>about %n min left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n h left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmptyView</name>
    <message>
        <source>What was talked about, by day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was talked about then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions so far</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No source is on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn one on in the settings, under Sources. Only what is turned on is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been read yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions appear here as soon as an agent has written one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FaultStrip</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous message with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next message with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Welcome to Backscroll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of it stays on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message>
        <source>Add a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder in the shape this agent writes its sessions in. It is read, never written to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder with sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the whole path, from the beginning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Sends text to {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing leaves this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Reading, %Ln sessions so far</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>What could not be read, and why: Index health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused until {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GeneralPage</name>
    <message>
        <source>General</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each change holds at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the windows; what you said stays as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hotkey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens and hides the search window from anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts in the background, so that the index is up to date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window opens as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One line grows as you type.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide when you click elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search window closes as it loses the focus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tray icon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose by hand where it can hardly be seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a light panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a dark panel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthModel</name>
    <message>
        <source>By source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthTexts</name>
    <message numerus="yes">
        <source>%Ln things need a look</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked {when}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything else is in order. {checked}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The full-text extension did not load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search works all the same, by our own index.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A damaged index was set aside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept as {path}; the index is built anew from your sessions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{agent} is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be found. What was read of it stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} were set aside</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>They could not be read; they are tried again when they change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The format of {agent} was not recognised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No message came out of its files. Update Backscroll; the format may have changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln paths cannot be read</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A setting could not be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No source is ticked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is read yet. Tick sources in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last pass failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Little space is left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} are free where the index lies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines skipped in {agent}: not valid JSON</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines skipped in {agent}: too long</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln gaps of empty bytes in {agent}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines in {agent} are not UTF-8</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compressed files of {agent} are damaged</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: the beginning is damaged</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: they need a dictionary to unpack</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: they would need too much memory</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} could not be opened</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: not a shape we know</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} read in part: they are larger than the budget</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln places skipped in {agent}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Left out until the file changes or you try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The newest part of each is in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counted and left out. The rest of those sessions is in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <comment>between counts</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not reachable now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sessions yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up to date, newest {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read, newest {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on disk, {share} of the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>window of %Ln days</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>all that was found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthWindow</name>
    <message>
        <source>Index health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs a look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sends text to {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing leaves this machine. Words are worked out here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied. It holds counts and paths, nothing of what was said.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HotkeyTexts</name>
    <message>
        <source>No key is set. Bind “{command}” in the system&apos;s settings, or set one here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The desktop is asked for the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason} {key} stays active.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active. The desktop decides which key it is; change it in the system&apos;s settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} is taken by another program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This keyboard has no {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system did not allow {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} cannot be used as a hotkey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} alone could not be typed any more. Add Ctrl, Alt or Meta.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} could not be typed any more. Add Ctrl, Alt or Meta.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} switches Chinese input on and off. Choose another key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This desktop gives programs no global key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no session bus, so the desktop cannot be asked for a key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The desktop does not know this program: its desktop file is not installed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The screen could not be reached for the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A library for global keys is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key was lost; it is asked for again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A global key is not supported here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bind “{command}” to a key in the system&apos;s settings instead.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>IndexPage</name>
    <message>
        <source>Index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much is read, and when. What is cut is counted, and Index health shows it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Days back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older sessions are not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passages for each source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The newest are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passages in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of one session file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of a larger one the newest part is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read new talk at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: only the sweep finds it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All sources are looked at this often, in case the system missed a change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuild index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads every session anew, in the background. Search goes on with what is in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuild index…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeyRecorder</name>
    <message>
        <source>Press a key…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeyStep</name>
    <message>
        <source>One key to find it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then the search window opens, and what is read already can be found already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hotkey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens and hides the search window from anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts in the background, so that the index is up to date.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeysOverlay</name>
    <message>
        <source>Move through the results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move by session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the right side and back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the passage with its citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy into the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the resume command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the session as markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear, then hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is kept of your sessions, and what is not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing leaves this machine. Words are worked out here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide secrets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and passwords are replaced before anything is stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool calls and results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What tools were asked and answered can be found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model thought before it answered can be found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excluded files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of these files is never indexed. One pattern a line, such as *.pem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excluded folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions that were held in these folders are not read. One folder a line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear index…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes all that was read from the index. Your session files are not touched.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProblemsDialog</name>
    <message>
        <source>line {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueryBar</name>
    <message>
        <source>What was it about?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search what was said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReadingPane</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message {place} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RereadPage</name>
    <message>
        <source>Undo</source>
        <comment>changes of settings</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This change reads all sessions again, in the background. Search goes on with what is in.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchCopies</name>
    <message>
        <source>Nothing is chosen to copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied, with its citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied as a quotation for the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume command copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This session has no resume command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No session is chosen to export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the session…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not copied: the clipboard did not take it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchWindow</name>
    <message numerus="yes">
        <source>%Ln passages so far</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Words only: meaning cannot be searched just now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search all time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search without {filter}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still reading. What is in already can be found already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <comment>what F1 shows</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>General</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your session files are not touched. Indexing is paused until you resume it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passages} are removed from the index.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the whole index?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear index</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourceTexts</name>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not reachable now; what was read stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: not ticked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: excluded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: the folder cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <comment>between counts</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourcesPage</name>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backscroll reads only what is on here. It never writes to these folders.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No agent&apos;s sessions were found on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for sessions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found here: {names}. They will show up by themselves once they are used.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourcesStep</name>
    <message>
        <source>What may Backscroll read?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These were found on this machine. Only ticked ones are read, and nothing is ever written to them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sessions were found. Add a folder, or go on: they show up by themselves once an agent is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for sessions…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimeStep</name>
    <message>
        <source>How far back?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can be changed later; what is older is then read, or left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All sessions that are there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older ones are not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>90 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The least, for a first look.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to read yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>About %Ln min of reading in the background, and at most {disk} on disk.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At most %Ln min of reading in the background, and at most {disk} on disk.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>Open search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause indexing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For 30 minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until I resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume indexing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuild index…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index health…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrayTexts</name>
    <message>
        <source>Paused until {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading, {done} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passages} from {sessions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing read yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system tells of no changes; sources are looked at every minute.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WhatStep</name>
    <message>
        <source>Find what was said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything you and your coding agents ever said on this machine, in one search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type what you remember. You get the passage, and the whole conversation around it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions of your agents are read where they lie. Nothing is ever written to them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of it stays on this machine. Nothing is sent anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and passwords are replaced before anything is stored.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>Memory files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>said by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>said by the agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tool calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tool results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>summaries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sure. Is it one of these?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <comment>between listed words</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The words stand together in one passage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No passage matches well enough to be called the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No passage has {words}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some words stand in no passage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no word to search for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches these words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches in that time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What matches is excluded by a word with a minus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been read yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A filter names something that is not in the index.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question is too long; its beginning was used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The latest passages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings file cannot be read, so nothing was saved. Mend or remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings file cannot be written. The change holds until you quit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This session is not in the index any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program holds the index.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full. Nothing more is read until there is room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{passages} in {sessions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Outside {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outside that time</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>also in %Ln other places</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of these: look further</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chooses one</source>
        <comment>after the keys Alt + 1…4</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session without a title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {total} sessions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_Head</name>
    <message>
        <source>source deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy with citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy into the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the resume command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the session as markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hit {place} of {hits}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message>
        <source>Remove this folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
