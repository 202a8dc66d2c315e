<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>CleanupDialog</name>
    <message numerus="yes">
        <source>Clean up %Ln entries</source>
        <translation>
            <numerusform>Clean up %Ln entry</numerusform>
            <numerusform>Clean up %Ln entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message numerus="yes">
        <source>%Ln more characters</source>
        <translation>
            <numerusform>%Ln more character</numerusform>
            <numerusform>%Ln more characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more characters are not shown</source>
        <translation>
            <numerusform>%Ln more character is not shown</numerusform>
            <numerusform>%Ln more characters are not shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CostTexts</name>
    <message numerus="yes">
        <source>%Ln min</source>
        <translation>
            <numerusform>%Ln min</numerusform>
            <numerusform>%Ln min</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Dates</name>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>%n day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n weeks ago</source>
        <translation>
            <numerusform>%n week ago</numerusform>
            <numerusform>%n weeks ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>%n month ago</numerusform>
            <numerusform>%n months ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>%n year ago</numerusform>
            <numerusform>%n years ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation>
            <numerusform>%n min ago</numerusform>
            <numerusform>%n min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation>
            <numerusform>%n h ago</numerusform>
            <numerusform>%n h ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n s ago</source>
        <translation>
            <numerusform>Updated %n s ago</numerusform>
            <numerusform>Updated %n s ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n min ago</source>
        <translation>
            <numerusform>Updated %n min ago</numerusform>
            <numerusform>Updated %n min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n h ago</source>
        <translation>
            <numerusform>Updated %n h ago</numerusform>
            <numerusform>Updated %n h ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n days ago</source>
        <translation>
            <numerusform>Updated %n day ago</numerusform>
            <numerusform>Updated %n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n min left</source>
        <translation>
            <numerusform>about %n min left</numerusform>
            <numerusform>about %n min left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n h left</source>
        <translation>
            <numerusform>about %n h left</numerusform>
            <numerusform>about %n h left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmptyView</name>
    <message numerus="yes">
        <source>%Ln sessions so far</source>
        <translation>
            <numerusform>%Ln session so far</numerusform>
            <numerusform>%Ln sessions so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message numerus="yes">
        <source>Reading, %Ln sessions so far</source>
        <translation>
            <numerusform>Reading, %Ln session so far</numerusform>
            <numerusform>Reading, %Ln sessions so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HandoverTexts</name>
    <message numerus="yes">
        <source>%Ln oldest left out</source>
        <translation>
            <numerusform>%Ln oldest left out</numerusform>
            <numerusform>%Ln oldest left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compactions</source>
        <translation>
            <numerusform>%Ln compaction</numerusform>
            <numerusform>%Ln compactions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln memory</numerusform>
            <numerusform>%Ln memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cache {percent}%, %Ln sessions</source>
        <translation>
            <numerusform>Cache {percent}%, %Ln session</numerusform>
            <numerusform>Cache {percent}%, %Ln sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent}: {percent}% of the input came from the cache, %Ln sessions</source>
        <translation>
            <numerusform>{agent}: {percent}% of the input came from the cache, %Ln session</numerusform>
            <numerusform>{agent}: {percent}% of the input came from the cache, %Ln sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compactions; {tokens} tokens were read anew after them</source>
        <translation>
            <numerusform>%Ln compaction; {tokens} tokens were read anew after it</numerusform>
            <numerusform>%Ln compactions; {tokens} tokens were read anew after them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing new to archive; %Ln earlier sessions only on request.</source>
        <translation>
            <numerusform>Nothing new to archive; %Ln earlier session only on request.</numerusform>
            <numerusform>Nothing new to archive; %Ln earlier sessions only on request.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing to archive yet: %Ln sessions were written to in the last minutes.</source>
        <translation>
            <numerusform>Nothing to archive yet: %Ln session was written to in the last minutes.</numerusform>
            <numerusform>Nothing to archive yet: %Ln sessions were written to in the last minutes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions archived</source>
        <translation>
            <numerusform>%Ln session archived</numerusform>
            <numerusform>%Ln sessions archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln drafts to review</source>
        <translation>
            <numerusform>%Ln draft to review</numerusform>
            <numerusform>%Ln drafts to review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait for the next run</source>
        <translation>
            <numerusform>%Ln waits for the next run</numerusform>
            <numerusform>%Ln wait for the next run</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries taken from the changelogs.</source>
        <translation>
            <numerusform>%Ln entry taken from the changelogs.</numerusform>
            <numerusform>%Ln entries taken from the changelogs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln put away</source>
        <translation>
            <numerusform>%Ln put away</numerusform>
            <numerusform>%Ln put away</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln deleted</source>
        <translation>
            <numerusform>%Ln deleted</numerusform>
            <numerusform>%Ln deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries to clean up</source>
        <translation>
            <numerusform>%Ln entry to clean up</numerusform>
            <numerusform>%Ln entries to clean up</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>replaced, and not among the last %Ln</source>
        <translation>
            <numerusform>replaced, and not the last %Ln</numerusform>
            <numerusform>replaced, and not among the last %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>nobody confirmed it for %Ln days</source>
        <translation>
            <numerusform>nobody confirmed it for %Ln day</numerusform>
            <numerusform>nobody confirmed it for %Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not used for %Ln days</source>
        <translation>
            <numerusform>not used for %Ln day</numerusform>
            <numerusform>not used for %Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>put away %Ln days ago</source>
        <translation>
            <numerusform>put away %Ln day ago</numerusform>
            <numerusform>put away %Ln days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its folder is gone, untouched for %Ln days</source>
        <translation>
            <numerusform>its folder is gone, untouched for %Ln day</numerusform>
            <numerusform>its folder is gone, untouched for %Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summary of a session, %Ln days old; there is a card</source>
        <translation>
            <numerusform>summary of a session, %Ln day old; there is a card</numerusform>
            <numerusform>summary of a session, %Ln days old; there is a card</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summary of a session, %Ln days old</source>
        <translation>
            <numerusform>summary of a session, %Ln day old</numerusform>
            <numerusform>summary of a session, %Ln days old</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthStates</name>
    <message numerus="yes">
        <source>%Ln sessions read once more are not as in the index</source>
        <translation>
            <numerusform>%Ln session read once more is not as in the index</numerusform>
            <numerusform>%Ln sessions read once more are not as in the index</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions read once more, and found as in the index</source>
        <translation>
            <numerusform>%Ln session read once more, and found as in the index</numerusform>
            <numerusform>%Ln sessions read once more, and found as in the index</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln errors in the log within a week</source>
        <translation>
            <numerusform>%Ln error in the log within a week</numerusform>
            <numerusform>%Ln errors in the log within a week</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of writings that never ended</source>
        <translation>
            <numerusform>%Ln file of a writing that never ended</numerusform>
            <numerusform>%Ln files of writings that never ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln damaged files are kept aside</source>
        <translation>
            <numerusform>%Ln damaged file is kept aside</numerusform>
            <numerusform>%Ln damaged files are kept aside</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln backups of memory were made by hand</source>
        <translation>
            <numerusform>%Ln backup of memory was made by hand</numerusform>
            <numerusform>%Ln backups of memory were made by hand</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln backups can be opened.</source>
        <translation>
            <numerusform>%Ln backup can be opened.</numerusform>
            <numerusform>%Ln backups can be opened.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The folder of %Ln projects is gone</source>
        <translation>
            <numerusform>The folder of %Ln project is gone</numerusform>
            <numerusform>The folders of %Ln projects are gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories cannot be found by meaning yet</source>
        <translation>
            <numerusform>%Ln memory cannot be found by meaning yet</numerusform>
            <numerusform>%Ln memories cannot be found by meaning yet</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthTexts</name>
    <message numerus="yes">
        <source>%Ln things need a look</source>
        <translation>
            <numerusform>%Ln thing needs a look</numerusform>
            <numerusform>%Ln things need a look</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} were set aside</source>
        <translation>
            <numerusform>%Ln file of {agent} was set aside</numerusform>
            <numerusform>%Ln files of {agent} were set aside</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln records of {agent} were skipped</source>
        <translation>
            <numerusform>%Ln record of {agent} was skipped</numerusform>
            <numerusform>%Ln records of {agent} were skipped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files have changed since they were read</source>
        <translation>
            <numerusform>%Ln file has changed since it was read</numerusform>
            <numerusform>%Ln files have changed since they were read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Claude Code deletes %Ln session files within five days</source>
        <translation>
            <numerusform>Claude Code deletes %Ln session file within five days</numerusform>
            <numerusform>Claude Code deletes %Ln session files within five days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln records of {agent} are of kinds that are not known</source>
        <translation>
            <numerusform>%Ln record of {agent} is of a kind that is not known</numerusform>
            <numerusform>%Ln records of {agent} are of kinds that are not known</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln paths cannot be read</source>
        <translation>
            <numerusform>%Ln path cannot be read</numerusform>
            <numerusform>%Ln paths cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions are only here</source>
        <translation>
            <numerusform>%Ln session is only here</numerusform>
            <numerusform>%Ln sessions are only here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines on forgotten sessions cannot be read</source>
        <translation>
            <numerusform>%Ln line on forgotten sessions cannot be read</numerusform>
            <numerusform>%Ln lines on forgotten sessions cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages cannot be found by meaning yet</source>
        <translation>
            <numerusform>%Ln passage cannot be found by meaning yet</numerusform>
            <numerusform>%Ln passages cannot be found by meaning yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model refused %Ln passages</source>
        <translation>
            <numerusform>The model refused %Ln passage</numerusform>
            <numerusform>The model refused %Ln passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln drafts wait for review</source>
        <translation>
            <numerusform>%Ln draft waits for review</numerusform>
            <numerusform>%Ln drafts wait for review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines skipped in {agent}: not valid JSON</source>
        <translation>
            <numerusform>%Ln line skipped in {agent}: not valid JSON</numerusform>
            <numerusform>%Ln lines skipped in {agent}: not valid JSON</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines skipped in {agent}: too long</source>
        <translation>
            <numerusform>%Ln line skipped in {agent}: too long</numerusform>
            <numerusform>%Ln lines skipped in {agent}: too long</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln gaps of empty bytes in {agent}</source>
        <translation>
            <numerusform>%Ln gap of empty bytes in {agent}</numerusform>
            <numerusform>%Ln gaps of empty bytes in {agent}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines in {agent} are not UTF-8</source>
        <translation>
            <numerusform>%Ln line in {agent} is not UTF-8</numerusform>
            <numerusform>%Ln lines in {agent} are not UTF-8</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compressed files of {agent} are damaged</source>
        <translation>
            <numerusform>%Ln compressed file of {agent} is damaged</numerusform>
            <numerusform>%Ln compressed files of {agent} are damaged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: the beginning is damaged</source>
        <translation>
            <numerusform>%Ln file of {agent} set aside: the beginning is damaged</numerusform>
            <numerusform>%Ln files of {agent} set aside: the beginning is damaged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: they need a dictionary to unpack</source>
        <translation>
            <numerusform>%Ln file of {agent} set aside: it needs a dictionary to unpack</numerusform>
            <numerusform>%Ln files of {agent} set aside: they need a dictionary to unpack</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: they would need too much memory</source>
        <translation>
            <numerusform>%Ln file of {agent} set aside: it would need too much memory</numerusform>
            <numerusform>%Ln files of {agent} set aside: they would need too much memory</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} could not be opened</source>
        <translation>
            <numerusform>%Ln file of {agent} could not be opened</numerusform>
            <numerusform>%Ln files of {agent} could not be opened</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: not a shape we know</source>
        <translation>
            <numerusform>%Ln file of {agent} set aside: not a shape we know</numerusform>
            <numerusform>%Ln files of {agent} set aside: not a shape we know</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} read in part: they are larger than the budget</source>
        <translation>
            <numerusform>%Ln file of {agent} read in part: it is larger than the budget</numerusform>
            <numerusform>%Ln files of {agent} read in part: they are larger than the budget</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln places skipped in {agent}</source>
        <translation>
            <numerusform>%Ln place skipped in {agent}</numerusform>
            <numerusform>%Ln places skipped in {agent}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>window of %Ln days</source>
        <translation>
            <numerusform>window of %Ln day</numerusform>
            <numerusform>window of %Ln days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LeavingTexts</name>
    <message numerus="yes">
        <source>Sends text to %Ln services</source>
        <translation>
            <numerusform>Sends text to %Ln service</numerusform>
            <numerusform>Sends text to %Ln services</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MeaningTexts</name>
    <message numerus="yes">
        <source>%Ln a minute.</source>
        <translation>
            <numerusform>%Ln a minute.</numerusform>
            <numerusform>%Ln a minute.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model refused %Ln passages; words find them.</source>
        <translation>
            <numerusform>The model refused %Ln passage; words find it.</numerusform>
            <numerusform>The model refused %Ln passages; words find them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln dimensions</source>
        <translation>
            <numerusform>%Ln dimension</numerusform>
            <numerusform>%Ln dimensions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages</source>
        <comment>are made anew</comment>
        <translation>
            <numerusform>%Ln passage</numerusform>
            <numerusform>%Ln passages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message numerus="yes">
        <source>%Ln are hidden so far.</source>
        <translation>
            <numerusform>%Ln is hidden so far.</numerusform>
            <numerusform>%Ln are hidden so far.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RedactionBox</name>
    <message numerus="yes">
        <source>%Ln parts would be hidden: {names}.</source>
        <translation>
            <numerusform>%Ln part would be hidden: {names}.</numerusform>
            <numerusform>%Ln parts would be hidden: {names}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchWindow</name>
    <message numerus="yes">
        <source>%Ln passages so far</source>
        <translation>
            <numerusform>%Ln passage so far</numerusform>
            <numerusform>%Ln passages so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SourceTexts</name>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message numerus="yes">
        <source>%Ln passages</source>
        <translation>
            <numerusform>%Ln passage</numerusform>
            <numerusform>%Ln passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions</source>
        <translation>
            <numerusform>%Ln session</numerusform>
            <numerusform>%Ln sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln skipped</source>
        <translation>
            <numerusform>%Ln skipped</numerusform>
            <numerusform>%Ln skipped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>also in %Ln other places</source>
        <translation>
            <numerusform>also in %Ln other place</numerusform>
            <numerusform>also in %Ln other places</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sub-agents</source>
        <translation>
            <numerusform>%Ln sub-agent</numerusform>
            <numerusform>%Ln sub-agents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln turns</source>
        <translation>
            <numerusform>%Ln turn</numerusform>
            <numerusform>%Ln turns</numerusform>
        </translation>
    </message>
</context>
</TS>
