<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
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
        <source>{done} of {total} sessions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
