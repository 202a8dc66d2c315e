<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AdvancedPage</name>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Where things lie, and what to send with a report.</source>
        <translation>东西放在哪里，报告问题时附上什么。</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Index and memory</source>
        <translation>索引与记忆</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>设置文件</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Index health…</source>
        <translation>索引状况…</translation>
    </message>
    <message>
        <source>Index health</source>
        <translation>索引状况</translation>
    </message>
    <message>
        <source>What was read, what was skipped, and why.</source>
        <translation>读了什么、跳过了什么、为什么。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>复制版本信息</translation>
    </message>
</context>
<context>
    <name>AgentRow</name>
    <message>
        <source>What will change…</source>
        <translation>将改动什么…</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Update…</source>
        <translation>更新…</translation>
    </message>
    <message>
        <source>Add more…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>{agent}: {action}</source>
        <translation>{agent}：{action}</translation>
    </message>
</context>
<context>
    <name>AgentTexts</name>
    <message>
        <source>MCP server</source>
        <translation>MCP 服务</translation>
    </message>
    <message>
        <source>hook</source>
        <translation>钩子</translation>
    </message>
    <message>
        <source>instructions</source>
        <translation>使用说明</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>{part} (switched off there)</source>
        <translation>{part}（在该处已关闭）</translation>
    </message>
    <message>
        <source>Not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>{parts}: out of date</source>
        <translation>{parts}（已过时）</translation>
    </message>
    <message>
        <source>Nothing was to be changed.</source>
        <translation>没有需要改动的内容。</translation>
    </message>
    <message>
        <source>Taken out of {files}.</source>
        <translation>已从 {files} 中移除。</translation>
    </message>
    <message>
        <source>Put into {files}.</source>
        <translation>已写入 {files}。</translation>
    </message>
    <message>
        <source>How it was before is kept in {folder}.</source>
        <translation>改动前的文件保存在 {folder}。</translation>
    </message>
    <message>
        <source>Something of that name in {file} is not Backscroll&apos;s and was left.</source>
        <translation>{file} 中有同名条目，但不属于 Backscroll，未作改动。</translation>
    </message>
    <message>
        <source>It counts for sessions that are started from now on.</source>
        <translation>对此后新开的会话生效。</translation>
    </message>
    <message>
        <source>Codex runs a new hook only after you trusted it: it asks at its next start, or type /hooks. Older versions know no hooks.</source>
        <translation>Codex 要在你信任后才运行新钩子：下次启动时它会询问，也可输入 /hooks。旧版本没有钩子。</translation>
    </message>
    <message>
        <source>It counts for all profiles. DSH is still changing: see whether the tools are there.</source>
        <translation>对所有配置档生效。DSH 仍在变化：请确认工具是否出现。</translation>
    </message>
</context>
<context>
    <name>AgentsPage</name>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Agents can search what was said and read a project&apos;s pack. Their configs are changed only when you say so.</source>
        <translation>智能体可以搜索说过的话、读取项目的上下文包。只有在你确认后，才会改动它们的配置。</translation>
    </message>
    <message>
        <source>Another client</source>
        <translation>其他客户端</translation>
    </message>
    <message>
        <source>The entry as most clients take an MCP server, to be put into its config by hand.</source>
        <translation>多数客户端通用的 MCP 服务条目，可手动写入其配置。</translation>
    </message>
    <message>
        <source>Point new sessions to the pack</source>
        <translation>在新会话中提示上下文包</translation>
    </message>
    <message>
        <source>One line at the first prompt of a session, where the hook is installed. Never the pack itself.</source>
        <translation>装有钩子时，在会话的第一个提问处加一行提示。绝不附上整个上下文包。</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>No agent was found on this machine.</source>
        <translation>本机没有找到智能体。</translation>
    </message>
    <message>
        <source>Looking for agents…</source>
        <translation>正在查找智能体…</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Not found here: {names}. They will show up by themselves once they are used.</source>
        <translation>本机没有：{names}。使用之后会自动出现。</translation>
    </message>
    <message>
        <source>Copy entry</source>
        <translation>复制条目</translation>
    </message>
</context>
<context>
    <name>AnswerStrip</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>Rebuild the index?</source>
        <translation>要重建索引吗？</translation>
    </message>
    <message>
        <source>Every session is read anew, in the background. Search goes on with what is in.</source>
        <translation>所有会话会在后台重新读取。期间仍可搜索已有的内容。</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Rebuild index</source>
        <translation>重建索引</translation>
    </message>
    <message>
        <source>Open Backscroll&apos;s search</source>
        <translation>打开 Backscroll 搜索</translation>
    </message>
</context>
<context>
    <name>CardTab</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit all fields (Ctrl+E)</source>
        <translation>编辑所有字段 (Ctrl+E)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No card yet</source>
        <translation>还没有卡片</translation>
    </message>
    <message>
        <source>A card says where the work stands: the goal, what is done, what comes next. The next session reads it first.</source>
        <translation>卡片说明工作进行到哪里：目标、已完成的、接下来要做的。下一个会话会最先读它。</translation>
    </message>
    <message>
        <source>Write the first one</source>
        <translation>写第一张</translation>
    </message>
</context>
<context>
    <name>ChangeDialog</name>
    <message>
        <source>{agent}: what will change</source>
        <translation>{agent}：将改动什么</translation>
    </message>
    <message>
        <source>Hook: one line at the start of a session says where the project&apos;s pack is</source>
        <translation>钩子：会话开始时用一行提示项目上下文包的位置</translation>
    </message>
    <message>
        <source>Instructions: when to use which tool</source>
        <translation>使用说明：何时用哪个工具</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>What Backscroll put in is taken out; all else stays as it is. A copy of each file is kept first.</source>
        <translation>只移除 Backscroll 写入的内容，其余保持原样。每个文件都会先保存一份副本。</translation>
    </message>
    <message>
        <source>Nothing is changed until you agree. All else stays as it is, and a copy of each file is kept first.</source>
        <translation>在你确认前不会改动任何内容。其余保持原样，每个文件都会先保存一份副本。</translation>
    </message>
    <message>
        <source>Nothing is to be changed.</source>
        <translation>没有需要改动的内容。</translation>
    </message>
    <message>
        <source>{file} (new file)</source>
        <translation>{file}（新文件）</translation>
    </message>
    <message>
        <source>{file} (the file goes)</source>
        <translation>{file}（文件将删除）</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>{filter}, remove</source>
        <translation>{filter}，移除</translation>
    </message>
    <message>
        <source>Remove {filter}</source>
        <translation>移除 {filter}</translation>
    </message>
</context>
<context>
    <name>ChipRow</name>
    <message>
        <source>Understood</source>
        <translation>已理解为</translation>
    </message>
    <message>
        <source>Add filter</source>
        <translation>添加筛选</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Said by</source>
        <translation>谁说的</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Since yesterday</source>
        <translation>昨天起</translation>
    </message>
    <message>
        <source>Since Monday</source>
        <translation>周一起</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Last 90 days</source>
        <translation>最近 90 天</translation>
    </message>
    <message>
        <source>This year</source>
        <translation>今年</translation>
    </message>
</context>
<context>
    <name>CleanupDialog</name>
    <message>
        <source>Clean up</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>Also delete for good what was put away long ago</source>
        <translation>同时彻底删除早已收起的内容</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Keep everything</source>
        <translation>全部保留</translation>
    </message>
    <message>
        <source>A backup was made first. What was put away can be restored.</source>
        <translation>已先做备份。收起的内容可以恢复。</translation>
    </message>
    <message>
        <source>What was put away can be restored.</source>
        <translation>收起的内容可以恢复。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Nothing has been changed yet. A backup is made before anything is.</source>
        <translation>还没有任何改动。改动之前会先做备份。</translation>
    </message>
    <message>
        <source>The rest is only told: decide of it yourself.</source>
        <translation>其余的只作提示，由你决定。</translation>
    </message>
    <message>
        <source>Everything is in use.</source>
        <translation>所有内容都在使用中。</translation>
    </message>
    <message numerus="yes">
        <source>Clean up %Ln entries</source>
        <translation>
            <numerusform>清理 %Ln 条</numerusform>
        </translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation>没有成功</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more characters</source>
        <translation>
            <numerusform>还有 %Ln 个字符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>exit {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>[image]</source>
        <translation>[图片]</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more characters are not shown</source>
        <translation>
            <numerusform>还有 %Ln 个字符未显示</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CostTexts</name>
    <message>
        <source>There is nothing to read yet.</source>
        <translation>还没有可读取的内容。</translation>
    </message>
    <message>
        <source>About {passages}, {disk} on disk and {minutes} of reading in the background, by this machine&apos;s own figures.</source>
        <translation>约 {passages}，占用磁盘 {disk}，后台读取约 {minutes}：按本机自己的数据估算。</translation>
    </message>
    <message>
        <source>At most {passages} and {disk} on disk; about {minutes} of reading in the background.</source>
        <translation>最多 {passages}，占用磁盘最多 {disk}；后台读取约 {minutes}。</translation>
    </message>
    <message>
        <source>At most {passages}, {disk} on disk and {minutes} of reading in the background.</source>
        <translation>最多 {passages}，占用磁盘最多 {disk}，后台读取最多 {minutes}。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln min</source>
        <translation>
            <numerusform>%Ln 分钟</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Backscroll met an error</source>
        <translation>Backscroll 出错了</translation>
    </message>
    <message>
        <source>The last run ended by an error</source>
        <translation>上次运行因错误而结束</translation>
    </message>
    <message>
        <source>Your sessions and settings are not harmed. The report holds nothing of what was said.</source>
        <translation>会话和设置没有受损。报告里不含任何对话内容。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Dates</name>
    <message>
        <source>No date</source>
        <translation>没有日期</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>before {day}</source>
        <translation>{day} 之前</translation>
    </message>
    <message>
        <source>since {day}</source>
        <translation>{day} 起</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>%n 天前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n weeks ago</source>
        <translation>
            <numerusform>%n 周前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>%n 个月前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>%n 年前</numerusform>
        </translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation>
            <numerusform>%n 分钟前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation>
            <numerusform>%n 小时前</numerusform>
        </translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message numerus="yes">
        <source>Updated %n s ago</source>
        <translation>
            <numerusform>%n 秒前更新</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n min ago</source>
        <translation>
            <numerusform>%n 分钟前更新</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n h ago</source>
        <translation>
            <numerusform>%n 小时前更新</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Updated %n days ago</source>
        <translation>
            <numerusform>%n 天前更新</numerusform>
        </translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>剩余不到 1 分钟</translation>
    </message>
    <message numerus="yes">
        <source>about %n min left</source>
        <translation>
            <numerusform>约剩 %n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n h left</source>
        <translation>
            <numerusform>约剩 %n 小时</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DraftRow</name>
    <message>
        <source>Unchanged</source>
        <translation>未改动</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>已采纳</translation>
    </message>
    <message>
        <source>Discarded</source>
        <translation>已舍弃</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>采纳</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo: {field}</source>
        <translation>撤销：{field}</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>舍弃</translation>
    </message>
    <message>
        <source>{action}: {field}</source>
        <comment>a button for a field</comment>
        <translation>{action}：{field}</translation>
    </message>
</context>
<context>
    <name>DraftTab</name>
    <message>
        <source>Active, {day}</source>
        <translation>当前，{day}</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Draft, {day}</source>
        <translation>草稿，{day}</translation>
    </message>
    <message>
        <source>{field}: {evidence}</source>
        <translation>{field}：{evidence}</translation>
    </message>
    <message>
        <source>Each line of the draft has evidence in the session.</source>
        <translation>草稿每一项在会话里都有依据。</translation>
    </message>
    <message>
        <source>Show the session</source>
        <translation>查看会话</translation>
    </message>
    <message>
        <source>Accept all</source>
        <translation>全部采纳</translation>
    </message>
    <message>
        <source>Discard draft</source>
        <translation>舍弃草稿</translation>
    </message>
    <message>
        <source>No draft waits</source>
        <translation>没有待看的草稿</translation>
    </message>
    <message>
        <source>When a session of this project is finished, what it changed is drafted here for you to accept.</source>
        <translation>这个项目的会话结束后，它带来的改动会在这里写成草稿，由你采纳。</translation>
    </message>
</context>
<context>
    <name>EmptyView</name>
    <message>
        <source>What was talked about, by day</source>
        <translation>按天列出谈过的内容</translation>
    </message>
    <message>
        <source>What was talked about then</source>
        <translation>那时谈过的内容</translation>
    </message>
    <message>
        <source>By day</source>
        <translation>按天</translation>
    </message>
    <message>
        <source>Still reading</source>
        <translation>还在读取</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions so far</source>
        <translation>
            <numerusform>目前 %Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>No source is on</source>
        <translation>没有启用任何来源</translation>
    </message>
    <message>
        <source>Turn one on in the settings, under Sources. Only what is turned on is read.</source>
        <translation>请在设置的「来源」里启用一个。只读取已启用的来源。</translation>
    </message>
    <message>
        <source>Nothing has been read yet</source>
        <translation>还没有读取任何内容</translation>
    </message>
    <message>
        <source>Sessions appear here as soon as an agent has written one.</source>
        <translation>智能体写下会话后，就会出现在这里。</translation>
    </message>
</context>
<context>
    <name>FaultStrip</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>One item a line</source>
        <translation>每行一项</translation>
    </message>
    <message>
        <source>F2 edits</source>
        <translation>按 F2 编辑</translation>
    </message>
</context>
<context>
    <name>FillingBox</name>
    <message>
        <source>{amount}, {left}</source>
        <translation>{amount}，{left}</translation>
    </message>
    <message>
        <source>{passages} can be found by meaning.</source>
        <translation>{passages}可按语义找到。</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Waiting, goes on by itself</source>
        <translation>等待中，会自动继续</translation>
    </message>
    <message>
        <source>Working through the library</source>
        <translation>正在处理资料库</translation>
    </message>
    <message>
        <source>Not all is in yet</source>
        <translation>尚未全部完成</translation>
    </message>
    <message>
        <source>All is in</source>
        <translation>已全部完成</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this session</source>
        <translation>在此会话中查找</translation>
    </message>
    <message>
        <source>Previous message with it</source>
        <translation>上一条匹配的消息</translation>
    </message>
    <message>
        <source>Next message with it</source>
        <translation>下一条匹配的消息</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{place} of {total}</source>
        <translation>第 {place} / {total} 条</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Welcome to Backscroll</source>
        <translation>欢迎使用 Backscroll</translation>
    </message>
    <message>
        <source>All of it stays on this machine</source>
        <translation>内容全部留在本机</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>A folder in the shape this agent writes its sessions in. It is read, never written to.</source>
        <translation>与该智能体存放会话时结构相同的文件夹。只读取，绝不写入。</translation>
    </message>
    <message>
        <source>Folder with sessions</source>
        <translation>存放会话的文件夹</translation>
    </message>
    <message>
        <source>Choose a folder first.</source>
        <translation>请先选择文件夹。</translation>
    </message>
    <message>
        <source>Write the whole path, from the beginning.</source>
        <translation>请写出完整的路径。</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>没有这个文件夹。</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message numerus="yes">
        <source>Reading, %Ln sessions so far</source>
        <translation>
            <numerusform>正在读取，目前 %Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>What could not be read, and why: Index health</source>
        <translation>哪些没能读取、为什么：见索引状况</translation>
    </message>
    <message>
        <source>Paused until {time}</source>
        <translation>已暂停到 {time}</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
</context>
<context>
    <name>GeneralPage</name>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Each change holds at once.</source>
        <translation>更改立即生效。</translation>
    </message>
    <message>
        <source>As the system says</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Of the windows; what you said stays as it is.</source>
        <translation>界面的语言；对话内容保持原样。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Hotkey</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Opens and hides the search window from anywhere.</source>
        <translation>在任何地方打开或隐藏搜索窗口。</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>登录时启动</translation>
    </message>
    <message>
        <source>Starts in the background, so that the index is up to date.</source>
        <translation>在后台启动，让索引保持最新。</translation>
    </message>
    <message>
        <source>Window opens as</source>
        <translation>窗口打开时</translation>
    </message>
    <message>
        <source>One line grows as you type.</source>
        <translation>单行窗口会随输入展开。</translation>
    </message>
    <message>
        <source>Full window</source>
        <translation>完整窗口</translation>
    </message>
    <message>
        <source>One line</source>
        <translation>单行</translation>
    </message>
    <message>
        <source>Hide when you click elsewhere</source>
        <translation>点击别处时隐藏</translation>
    </message>
    <message>
        <source>The search window closes as it loses the focus.</source>
        <translation>搜索窗口失去焦点时关闭。</translation>
    </message>
    <message>
        <source>Paste for me</source>
        <translation>代为粘贴</translation>
    </message>
    <message>
        <source>Into the window you came from, after copying into the chat. X11 only.</source>
        <translation>复制到对话后，粘贴到你来时的窗口。仅限 X11。</translation>
    </message>
    <message>
        <source>Tray icon</source>
        <translation>托盘图标</translation>
    </message>
    <message>
        <source>Choose by hand where it can hardly be seen.</source>
        <translation>看不清时可手动选择。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>For a light panel</source>
        <translation>用于浅色面板</translation>
    </message>
    <message>
        <source>For a dark panel</source>
        <translation>用于深色面板</translation>
    </message>
</context>
<context>
    <name>HandoverActions</name>
    <message>
        <source>Pack copied</source>
        <translation>已复制上下文包</translation>
    </message>
    <message>
        <source>There is nothing in the pack yet</source>
        <translation>上下文包里还没有内容</translation>
    </message>
    <message>
        <source>Card copied</source>
        <translation>已复制卡片</translation>
    </message>
    <message>
        <source>There is no card to copy yet</source>
        <translation>还没有可以复制的卡片</translation>
    </message>
    <message>
        <source>Resume command copied</source>
        <translation>已复制继续命令</translation>
    </message>
    <message>
        <source>There is no session to resume</source>
        <translation>没有可以继续的会话</translation>
    </message>
    <message>
        <source>Not copied: the clipboard did not take it</source>
        <translation>没有复制：剪贴板没有接受</translation>
    </message>
    <message>
        <source>Copied. Go to the chat and paste it there.</source>
        <translation>已复制。请到对话里粘贴。</translation>
    </message>
    <message>
        <source>Copied, but not pasted. Go to the chat and paste it there.</source>
        <translation>已复制，但未能粘贴。请到对话里粘贴。</translation>
    </message>
    <message>
        <source>There is no card to export yet</source>
        <translation>还没有可以导出的卡片</translation>
    </message>
    <message>
        <source>Export the card</source>
        <translation>导出卡片</translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation>没有保存：{reason}</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>已保存为 {name}</translation>
    </message>
    <message>
        <source>This project has no folder</source>
        <translation>这个项目没有目录</translation>
    </message>
    <message>
        <source>The folder is not there any more</source>
        <translation>目录已不在</translation>
    </message>
    <message>
        <source>The system opened nothing for this folder</source>
        <translation>系统没有打开这个目录</translation>
    </message>
    <message>
        <source>Archive earlier sessions too?</source>
        <translation>也归档更早的会话？</translation>
    </message>
    <message>
        <source>Sessions from before archiving began are summarised, each once. It can take a while; search goes on.</source>
        <translation>开始归档之前的会话会逐个总结一次。可能要一些时间，期间照常可以搜索。</translation>
    </message>
    <message>
        <source>Leave them</source>
        <translation>不归档</translation>
    </message>
    <message>
        <source>Archive them</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Archiving…</source>
        <translation>正在归档…</translation>
    </message>
    <message>
        <source>Reading the changelogs…</source>
        <translation>正在读取变更记录…</translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation>正在备份…</translation>
    </message>
    <message>
        <source>Backed up: {name}, {size}</source>
        <translation>已备份：{name}，{size}</translation>
    </message>
    <message>
        <source>Archiving, {done} of {total}</source>
        <translation>正在归档，{done} / {total}</translation>
    </message>
</context>
<context>
    <name>HandoverFoot</name>
    <message>
        <source>Archive finished sessions now</source>
        <translation>立即归档已结束的会话</translation>
    </message>
    <message>
        <source>Archive earlier sessions too…</source>
        <translation>也归档更早的会话…</translation>
    </message>
    <message>
        <source>Take in the project&apos;s changelogs</source>
        <translation>收入项目的变更记录</translation>
    </message>
    <message>
        <source>Clean up…</source>
        <translation>清理…</translation>
    </message>
    <message>
        <source>Back up memory now</source>
        <translation>立即备份记忆</translation>
    </message>
    <message>
        <source>Export markdown</source>
        <translation>导出 Markdown</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开目录</translation>
    </message>
    <message>
        <source>Copy resume command</source>
        <translation>复制继续命令</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Copy card</source>
        <translation>复制卡片</translation>
    </message>
    <message>
        <source>Paste into chat</source>
        <translation>粘贴到对话</translation>
    </message>
    <message>
        <source>Copy for chat</source>
        <translation>复制给对话</translation>
    </message>
    <message>
        <source>Copy pack</source>
        <translation>复制上下文包</translation>
    </message>
</context>
<context>
    <name>HandoverFrame</name>
    <message>
        <source>Card</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Pack</source>
        <translation>上下文包</translation>
    </message>
    <message>
        <source>Hand-over</source>
        <translation>交接</translation>
    </message>
    <message>
        <source>Parts of the hand-over</source>
        <translation>交接的各部分</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>No projects yet</source>
        <translation>还没有项目</translation>
    </message>
    <message>
        <source>Projects are the folders in your projects folder, and those in which sessions took place. They come by themselves once a source is read; what was learned in them is kept here.</source>
        <translation>项目就是项目目录里的各个目录，以及会话所在的目录。读取来源之后它们会自动出现；在其中学到的东西保存在这里。</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>再看一次</translation>
    </message>
</context>
<context>
    <name>HandoverTexts</name>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Doing</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>questions</comment>
        <translation>待定</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Pitfall</source>
        <translation>坑</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>待办</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Changelog</source>
        <translation>变更记录</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Hand-over</source>
        <translation>交接</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Baselines</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Pitfalls</source>
        <translation>坑</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Changelogs</source>
        <translation>变更记录</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Hand-overs</source>
        <translation>交接</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>Replaced</source>
        <translation>已被取代</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Current state</source>
        <translation>当前状态</translation>
    </message>
    <message>
        <source>stands in the card</source>
        <translation>已含在卡片里</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已省去</translation>
    </message>
    <message numerus="yes">
        <source>%Ln oldest left out</source>
        <translation>
            <numerusform>省去最早 %Ln 条</numerusform>
        </translation>
    </message>
    <message>
        <source>shortened</source>
        <translation>已缩短</translation>
    </message>
    <message>
        <source>Folder gone, kept</source>
        <translation>目录已不在，已保留</translation>
    </message>
    <message>
        <source>Draft waiting</source>
        <translation>有草稿</translation>
    </message>
    <message>
        <source>Loose sessions</source>
        <translation>零散会话</translation>
    </message>
    <message>
        <source>Without a project</source>
        <translation>没有项目</translation>
    </message>
    <message>
        <source>No card</source>
        <translation>无卡片</translation>
    </message>
    <message numerus="yes">
        <source>%Ln compactions</source>
        <translation>
            <numerusform>%Ln 次压缩</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>{day} {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <source>last active {when}</source>
        <translation>最近活动 {when}</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>Last session: {agent}, {when}</source>
        <translation>最近会话：{agent}，{when}</translation>
    </message>
    <message>
        <source>Last session: {when}</source>
        <translation>最近会话：{when}</translation>
    </message>
    <message>
        <source>No cache figures yet</source>
        <translation>还没有缓存数据</translation>
    </message>
    <message>
        <source>No cache figures logged</source>
        <translation>没有记录缓存数据</translation>
    </message>
    <message numerus="yes">
        <source>Cache {percent}%, %Ln sessions</source>
        <translation>
            <numerusform>缓存 {percent}%，%Ln 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{agent}: {percent}% of the input came from the cache, %Ln sessions</source>
        <translation>
            <numerusform>{agent}：输入的 {percent}% 来自缓存，%Ln 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compactions; {tokens} tokens were read anew after them</source>
        <translation>
            <numerusform>%Ln 次压缩；之后重新读取了 {tokens} 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Steps to the first change: {with_pack} with the pack, {without} without</source>
        <translation>到第一次改动的步数：有上下文包 {with_pack}，没有 {without}</translation>
    </message>
    <message>
        <source>With and without the pack: not enough sessions yet</source>
        <translation>有无上下文包的比较：会话还不够多</translation>
    </message>
    <message>
        <source>Saved {day} from a {agent} session</source>
        <translation>{day}保存，来自 {agent} 会话</translation>
    </message>
    <message>
        <source>Saved {day}</source>
        <translation>{day}保存</translation>
    </message>
    <message>
        <source>Written by hand</source>
        <translation>手写</translation>
    </message>
    <message>
        <source>the last session ({agent}, {day})</source>
        <translation>最近的会话（{agent}，{day}）</translation>
    </message>
    <message>
        <source>the last session ({agent})</source>
        <translation>最近的会话（{agent}）</translation>
    </message>
    <message>
        <source>Better go on in {session}: it was never compacted.</source>
        <translation>最好接着{session}继续：它没有被压缩过。</translation>
    </message>
    <message>
        <source>Start from the pack: the folder of {session} is gone.</source>
        <translation>从上下文包开始：{session}的目录已不在。</translation>
    </message>
    <message>
        <source>Start from the pack: {session} cannot be resumed.</source>
        <translation>从上下文包开始：{session}无法继续。</translation>
    </message>
    <message>
        <source>Start from the pack: {session} was compacted.</source>
        <translation>从上下文包开始：{session}被压缩过。</translation>
    </message>
    <message>
        <source>Start from the pack: {session} is some time ago.</source>
        <translation>从上下文包开始：{session}已经过了一段时间。</translation>
    </message>
    <message numerus="yes">
        <source>Nothing new to archive; %Ln earlier sessions only on request.</source>
        <translation>
            <numerusform>没有新的可归档；%Ln 个更早的会话要另外归档。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing to archive yet: %Ln sessions were written to in the last minutes.</source>
        <translation>
            <numerusform>还没有可归档的：%Ln 个会话在最近几分钟里还有写入。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to archive: all finished sessions are.</source>
        <translation>没有可归档的：已结束的会话都归档了。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions archived</source>
        <translation>
            <numerusform>已归档 %Ln 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln drafts to review</source>
        <translation>
            <numerusform>%Ln 份草稿待看</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait for the next run</source>
        <translation>
            <numerusform>%Ln 个留到下一次</numerusform>
        </translation>
    </message>
    <message>
        <source>.</source>
        <comment>end of a sentence</comment>
        <translation>。</translation>
    </message>
    <message>
        <source>There is no changelog in this project.</source>
        <translation>这个项目没有变更记录。</translation>
    </message>
    <message>
        <source>Nothing new in the changelogs.</source>
        <translation>变更记录里没有新内容。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries taken from the changelogs.</source>
        <translation>
            <numerusform>从变更记录收入 %Ln 条。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln put away</source>
        <translation>
            <numerusform>已收起 %Ln 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln deleted</source>
        <translation>
            <numerusform>已删除 %Ln 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was changed</source>
        <translation>没有改动</translation>
    </message>
    <message>
        <source>Nothing to clean up</source>
        <translation>没有要清理的</translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries to clean up</source>
        <translation>
            <numerusform>%Ln 条可以清理</numerusform>
        </translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Only told</source>
        <translation>仅提示</translation>
    </message>
    <message numerus="yes">
        <source>replaced, and not among the last %Ln</source>
        <translation>
            <numerusform>已被取代，不在最近 %Ln 份之内</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>nobody confirmed it for %Ln days</source>
        <translation>
            <numerusform>%Ln 天无人确认</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not used for %Ln days</source>
        <translation>
            <numerusform>%Ln 天没有用过</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>put away %Ln days ago</source>
        <translation>
            <numerusform>%Ln 天前收起</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its folder is gone, untouched for %Ln days</source>
        <translation>
            <numerusform>目录已不在，%Ln 天没有动过</numerusform>
        </translation>
    </message>
    <message>
        <source>its folder is gone</source>
        <translation>目录已不在</translation>
    </message>
    <message numerus="yes">
        <source>summary of a session, %Ln days old; there is a card</source>
        <translation>
            <numerusform>会话摘要，已有 %Ln 天；项目有卡片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summary of a session, %Ln days old</source>
        <translation>
            <numerusform>会话摘要，已有 %Ln 天</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HandoverWindow</name>
    <message>
        <source>Memory was damaged and has been restored from its journal.</source>
        <translation>记忆曾损坏，已从日志恢复。</translation>
    </message>
    <message>
        <source>Taken back</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>已放回</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>已采纳</translation>
    </message>
    <message>
        <source>Discarded</source>
        <translation>已舍弃</translation>
    </message>
    <message>
        <source>Draft accepted</source>
        <translation>草稿已采纳</translation>
    </message>
    <message>
        <source>Draft discarded</source>
        <translation>草稿已舍弃</translation>
    </message>
    <message>
        <source>Written down</source>
        <translation>已记下</translation>
    </message>
    <message>
        <source>That was known already</source>
        <translation>这一条已经有了</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>已恢复</translation>
    </message>
</context>
<context>
    <name>HealthModel</name>
    <message>
        <source>By source</source>
        <translation>按来源</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>截去</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>HealthStates</name>
    <message>
        <source>The parts of the index do not agree</source>
        <translation>索引的各部分不一致</translation>
    </message>
    <message>
        <source>Some passages cannot be found. Rebuild the index; search goes on with what is in.</source>
        <translation>有些段落找不到。请重建索引；期间仍可搜索已有内容。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions read once more are not as in the index</source>
        <translation>
            <numerusform>重新读取的会话中有 %Ln 个与索引不一致</numerusform>
        </translation>
    </message>
    <message>
        <source>Of {total} that were compared with their files. Rebuild the index; search goes on with what is in.</source>
        <translation>共与文件核对了 {total} 个。请重建索引；期间仍可搜索已有内容。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions read once more, and found as in the index</source>
        <translation>
            <numerusform>重新读取了 %Ln 个会话，与索引一致</numerusform>
        </translation>
    </message>
    <message>
        <source>{messages} messages and {passages} passages were compared with their files.</source>
        <translation>与文件核对了 {messages} 条消息、{passages} 段。</translation>
    </message>
    <message>
        <source>The clock of this machine was put back</source>
        <translation>本机的时钟被调回过</translation>
    </message>
    <message>
        <source>The index was read on {moment} UTC, which has not come yet.</source>
        <translation>索引的读取时间是 {moment}（UTC），这个时刻还没有到。</translation>
    </message>
    <message>
        <source>A message is of a day that has not come yet</source>
        <translation>有消息的日期还没有到</translation>
    </message>
    <message>
        <source>The newest is of {moment} UTC. Whoever wrote it had another clock.</source>
        <translation>最新的一条是 {moment}（UTC）。写下它的机器时钟不同。</translation>
    </message>
    <message>
        <source>The chat model names no topics</source>
        <translation>对话模型没有给出话题</translation>
    </message>
    <message>
        <source>{reason} Words name the days meanwhile.</source>
        <translation>{reason} 期间由词语概括每天的话题。</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>{one} and {other} do not fit</source>
        <translation>{one} 与 {other} 不匹配</translation>
    </message>
    <message>
        <source>Agents cannot ask: the MCP SDK is not installed</source>
        <translation>智能体无法查询：没有安装 MCP SDK</translation>
    </message>
    <message>
        <source>Hooks and the command line work without it. To install it: {command}</source>
        <translation>钩子和命令行不需要它。安装方法：{command}</translation>
    </message>
    <message>
        <source>Not checked: {what}</source>
        <translation>未检查：{what}</translation>
    </message>
    <message>
        <source>It gave no answer, or failed. See whether its disk or service answers, then check again.</source>
        <translation>没有回应或出错。请确认相应的磁盘或服务可用，然后重新检查。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln errors in the log within a week</source>
        <translation>
            <numerusform>一周内日志中有 %Ln 个错误</numerusform>
        </translation>
    </message>
    <message>
        <source>The last one, {moment}: {reason}</source>
        <translation>最近一个，{moment}：{reason}</translation>
    </message>
    <message>
        <source>none</source>
        <comment>in place of a version</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>Backscroll {program} · Python {python} · DuckDB {database} · full-text extension {extension} · Qt {qt} · MCP SDK {mcp} · index {index} · memory {memory} · text rules {rules} · {system}</source>
        <translation>Backscroll {program} · Python {python} · DuckDB {database} · 全文扩展 {extension} · Qt {qt} · MCP SDK {mcp} · 索引 {index} · 记忆 {memory} · 文字规则 {rules} · {system}</translation>
    </message>
    <message>
        <source>the session files</source>
        <translation>会话文件</translation>
    </message>
    <message>
        <source>sessions read once more</source>
        <translation>重新读取的会话</translation>
    </message>
    <message>
        <source>the keyring</source>
        <translation>钥匙串</translation>
    </message>
    <message>
        <source>the configs of agents</source>
        <translation>智能体的配置</translation>
    </message>
    <message>
        <source>our own folders</source>
        <translation>本程序的文件夹</translation>
    </message>
    <message>
        <source>the log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>the backups of memory</source>
        <translation>记忆的备份</translation>
    </message>
    <message>
        <source>the socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>the tray</source>
        <translation>托盘</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of writings that never ended</source>
        <translation>
            <numerusform>%Ln 个没有写完的临时文件</numerusform>
        </translation>
    </message>
    <message>
        <source>{size}, which nothing needs: {files}</source>
        <translation>共 {size}，不再需要：{files}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln damaged files are kept aside</source>
        <translation>
            <numerusform>另存了 %Ln 个受损文件</numerusform>
        </translation>
    </message>
    <message>
        <source>{size}. When you miss nothing, they can be deleted: {files}</source>
        <translation>共 {size}。确认没有缺少内容后可以删除：{files}</translation>
    </message>
    <message>
        <source>A folder of ours belongs to another user</source>
        <translation>本程序的一个文件夹属于其他用户</translation>
    </message>
    <message>
        <source>Other users of this machine can look into a folder of ours</source>
        <translation>本机其他用户可以查看本程序的一个文件夹</translation>
    </message>
    <message>
        <source>A backup of memory cannot be opened</source>
        <translation>有一份记忆备份无法打开</translation>
    </message>
    <message>
        <source>{path}. To make another one: {command}</source>
        <translation>{path}。重新备份：{command}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln backups of memory were made by hand</source>
        <translation>
            <numerusform>手动做了 %Ln 份记忆备份</numerusform>
        </translation>
    </message>
    <message>
        <source>They take {size} in {path}, and are never removed by themselves.</source>
        <translation>它们在 {path} 中占用 {size}，不会自动删除。</translation>
    </message>
    <message>
        <source>Memory is backed up</source>
        <translation>记忆已备份</translation>
    </message>
    <message numerus="yes">
        <source>%Ln backups can be opened.</source>
        <translation>
            <numerusform>%Ln 份备份可以打开。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The folder of %Ln projects is gone</source>
        <translation>
            <numerusform>%Ln 个项目的目录已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>{projects}. What is known of them is kept. If they were moved: {command}</source>
        <translation>{projects}。已有的记忆仍然保留。如果是移动了目录：{command}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories cannot be found by meaning yet</source>
        <translation>
            <numerusform>%Ln 条记忆还不能按语义找到</numerusform>
        </translation>
    </message>
    <message>
        <source>Words find them. They are worked through in the background, where that is on.</source>
        <translation>可按词语找到。开启后台处理时会逐步完成。</translation>
    </message>
    <message>
        <source>The key for {host} cannot be kept.</source>
        <translation>{host} 的密钥无法保存。</translation>
    </message>
    <message>
        <source>No service that needs a key from it is in use.</source>
        <translation>目前没有使用需要密钥的服务。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring is there</source>
        <translation>系统钥匙串可用</translation>
    </message>
    <message>
        <source>Keys of services are kept in it, and nowhere else.</source>
        <translation>服务的密钥只保存在其中。</translation>
    </message>
    <message>
        <source>This system has no keyring</source>
        <translation>系统没有钥匙串</translation>
    </message>
    <message>
        <source>The keyring that is set up keeps keys in a file that can be read</source>
        <translation>所设置的钥匙串把密钥存放在可读取的文件中</translation>
    </message>
    <message>
        <source>The keyring gives no answer</source>
        <translation>钥匙串没有回应</translation>
    </message>
    <message>
        <source>The keyring is locked, or refuses</source>
        <translation>钥匙串已锁定或拒绝访问</translation>
    </message>
    <message>
        <source>The tray is not running</source>
        <translation>托盘没有运行</translation>
    </message>
    <message>
        <source>New sessions are read when a command or an agent asks; the hotkey does nothing.</source>
        <translation>有命令或智能体查询时才读取新会话；快捷键不起作用。</translation>
    </message>
    <message>
        <source>The icon is in the tray</source>
        <translation>图标在托盘中</translation>
    </message>
    <message>
        <source>This desktop shows no tray</source>
        <translation>这个桌面不显示托盘</translation>
    </message>
    <message>
        <source>All else works. On GNOME, install the extension AppIndicator; the window opens by the key.</source>
        <translation>其他功能正常。在 GNOME 上请安装 AppIndicator 扩展；窗口可用快捷键打开。</translation>
    </message>
    <message>
        <source>{key} opens the search</source>
        <translation>{key} 打开搜索</translation>
    </message>
    <message>
        <source>{key} could not be had</source>
        <translation>无法使用 {key}</translation>
    </message>
    <message>
        <source>No key opens the search</source>
        <translation>没有打开搜索的快捷键</translation>
    </message>
    <message>
        <source>One process owns the files, and answers the others</source>
        <translation>由一个进程管理文件并回应其他进程</translation>
    </message>
    <message>
        <source>Process {pid}, at {path}</source>
        <translation>进程 {pid}，位于 {path}</translation>
    </message>
    <message>
        <source>Other programs cannot reach this one</source>
        <translation>其他程序连接不到本程序</translation>
    </message>
    <message>
        <source>{reason} Quit Backscroll and start it again.</source>
        <translation>{reason} 请退出 Backscroll 后重新启动。</translation>
    </message>
    <message>
        <source>Other users of this machine can see the owner&apos;s socket or note</source>
        <translation>本机其他用户可以看到套接字或其说明文件</translation>
    </message>
    <message>
        <source>Entries in {names}</source>
        <translation>{names} 中的条目</translation>
    </message>
    <message>
        <source>They lead to this program.</source>
        <translation>指向本程序。</translation>
    </message>
    <message>
        <source>{agent} starts a Backscroll that is no longer there</source>
        <translation>{agent} 启动的 Backscroll 已不存在</translation>
    </message>
    <message>
        <source>{place} names {path}. To have it start this one: {command}</source>
        <translation>{place} 指向 {path}。改为启动本程序：{command}</translation>
    </message>
    <message>
        <source>The entry in {agent} is not what this program would write</source>
        <translation>{agent} 中的条目与本程序会写入的不同</translation>
    </message>
    <message>
        <source>{place} names another installation, or was made by an earlier version.</source>
        <translation>{place} 指向另一处安装，或由较早的版本写入。</translation>
    </message>
    <message>
        <source>The config of {agent} cannot be checked</source>
        <translation>无法检查 {agent} 的配置</translation>
    </message>
</context>
<context>
    <name>HealthTexts</name>
    <message numerus="yes">
        <source>%Ln things need a look</source>
        <translation>
            <numerusform>%Ln 件事需要看一眼</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is in order</source>
        <translation>一切正常</translation>
    </message>
    <message>
        <source>Checked {when}.</source>
        <translation>{when}检查过。</translation>
    </message>
    <message>
        <source>Everything else is in order. {checked}</source>
        <translation>其余一切正常。{checked}</translation>
    </message>
    <message>
        <source>The full-text extension did not load</source>
        <translation>全文扩展没有加载</translation>
    </message>
    <message>
        <source>Search works all the same, by our own index.</source>
        <translation>搜索照常工作，用的是我们自己的索引。</translation>
    </message>
    <message>
        <source>A damaged index was set aside</source>
        <translation>已将损坏的索引移到一旁</translation>
    </message>
    <message>
        <source>It is kept as {path}; the index is built anew from your sessions.</source>
        <translation>它保留在 {path}；索引会从你的会话重建。</translation>
    </message>
    <message>
        <source>{agent} is not there</source>
        <translation>找不到 {agent}</translation>
    </message>
    <message>
        <source>{path} cannot be found. What was read of it stays.</source>
        <translation>找不到 {path}。已读取的内容会保留。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} were set aside</source>
        <translation>
            <numerusform>{agent} 有 %Ln 个文件被搁置</numerusform>
        </translation>
    </message>
    <message>
        <source>They could not be read; they are tried again when they change.</source>
        <translation>无法读取；文件变化后会再试。</translation>
    </message>
    <message>
        <source>Nothing came out of them. Update Backscroll; the format may have changed.</source>
        <translation>没有从中读出任何内容。格式可能已改变，请更新 Backscroll。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln records of {agent} were skipped</source>
        <translation>
            <numerusform>{agent} 有 %Ln 条记录被跳过</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files have changed since they were read</source>
        <translation>
            <numerusform>%Ln 个文件在读取之后又有变化</numerusform>
        </translation>
    </message>
    <message>
        <source>They are read at the next pass. While indexing is paused, they wait.</source>
        <translation>下一轮会读取；暂停期间它们先等着。</translation>
    </message>
    <message numerus="yes">
        <source>Claude Code deletes %Ln session files within five days</source>
        <translation>
            <numerusform>Claude Code 将在五天内删除 %Ln 个会话文件</numerusform>
        </translation>
    </message>
    <message>
        <source>A folder of the space {space} is not there</source>
        <translation>找不到空间 {space} 的一个文件夹</translation>
    </message>
    <message>
        <source>{path} cannot be found. If it was moved, give the space its new folder.</source>
        <translation>找不到 {path}。如果它被移动了，请把新的文件夹分给这个空间。</translation>
    </message>
    <message>
        <source>The format of {agent} was not recognised</source>
        <translation>无法识别 {agent} 的格式</translation>
    </message>
    <message>
        <source>No message came out of its files. Update Backscroll; the format may have changed.</source>
        <translation>它的文件里没有读出消息。格式可能已改变，请更新 Backscroll。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln records of {agent} are of kinds that are not known</source>
        <translation>
            <numerusform>{agent} 有 %Ln 条记录的类型无法识别</numerusform>
        </translation>
    </message>
    <message>
        <source>{kinds}. The rest of these files is in. Update Backscroll; the format may have changed.</source>
        <translation>{kinds}。这些文件的其余内容已收录。请更新 Backscroll，格式可能变了。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln paths cannot be read</source>
        <translation>
            <numerusform>%Ln 个路径无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>A setting could not be used</source>
        <translation>有一项设置无法使用</translation>
    </message>
    <message>
        <source>No source is ticked</source>
        <translation>没有勾选来源</translation>
    </message>
    <message>
        <source>Nothing is read yet. Tick sources in the settings.</source>
        <translation>还没有读取任何内容。请在设置里勾选来源。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions are only here</source>
        <translation>
            <numerusform>%Ln 个会话只在这里还有</numerusform>
        </translation>
    </message>
    <message>
        <source>Their agents have deleted the files. “Keep deleted sessions” under Privacy says whether they stay.</source>
        <translation>智能体已经删除了这些文件。是否保留由“隐私”中的“保留已删除的会话”决定。</translation>
    </message>
    <message>
        <source>Session files could not be copied</source>
        <translation>会话文件未能复制</translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines on forgotten sessions cannot be read</source>
        <translation>
            <numerusform>关于已忘记会话的 %Ln 行记录无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>The sessions that these named may come back. If one does, forget it again.</source>
        <translation>其中记录的会话可能会再次出现。如果出现，请再次将其忘记。</translation>
    </message>
    <message>
        <source>Meaning has stopped: search goes by words</source>
        <translation>语义搜索已停止：目前只按词语搜索</translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages cannot be found by meaning yet</source>
        <translation>
            <numerusform>还有 %Ln 段不能按语义找到</numerusform>
        </translation>
    </message>
    <message>
        <source>Words find them. They are worked through in the background, where that is on.</source>
        <translation>按词语可以找到；若已开启后台处理，会陆续完成。</translation>
    </message>
    <message numerus="yes">
        <source>The model refused %Ln passages</source>
        <translation>
            <numerusform>模型拒绝了 %Ln 段</numerusform>
        </translation>
    </message>
    <message>
        <source>Each of them alone, for what it holds. Words find them.</source>
        <translation>每段都因自身内容被单独拒绝；按词语可以找到。</translation>
    </message>
    <message>
        <source>The last pass failed</source>
        <translation>上一轮读取失败</translation>
    </message>
    <message>
        <source>Little space is left</source>
        <translation>剩余空间不多</translation>
    </message>
    <message>
        <source>{size} are free where the index lies.</source>
        <translation>索引所在的磁盘还有 {size} 可用。</translation>
    </message>
    <message>
        <source>Finished sessions could not be archived</source>
        <translation>结束的会话未能归档</translation>
    </message>
    <message>
        <source>Changelogs could not be taken in</source>
        <translation>变更记录未能读入</translation>
    </message>
    <message>
        <source>Memory could not be backed up</source>
        <translation>记忆未能备份</translation>
    </message>
    <message>
        <source>Memories could not be made findable by meaning</source>
        <translation>记忆未能加入语义搜索</translation>
    </message>
    <message>
        <source>Memory cannot be used</source>
        <translation>记忆无法使用</translation>
    </message>
    <message>
        <source>A damaged memory was mended</source>
        <translation>受损的记忆已修复</translation>
    </message>
    <message>
        <source>Nothing needs to be done; the damaged file is kept beside it.</source>
        <translation>无需处理；受损的文件保留在旁边。</translation>
    </message>
    <message>
        <source>Memory was not backed up lately</source>
        <translation>记忆最近没有备份</translation>
    </message>
    <message>
        <source>There is no backup yet; the journal alone has it twice.</source>
        <translation>还没有备份；目前只有日志文件另存了一份。</translation>
    </message>
    <message>
        <source>The newest backup is of {day}.</source>
        <translation>最近一次备份是 {day}。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln drafts wait for review</source>
        <translation>
            <numerusform>%Ln 份草稿等待审阅</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines skipped in {agent}: not valid JSON</source>
        <translation>
            <numerusform>{agent} 跳过 %Ln 行：不是有效的 JSON</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines skipped in {agent}: too long</source>
        <translation>
            <numerusform>{agent} 跳过 %Ln 行：太长</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln gaps of empty bytes in {agent}</source>
        <translation>
            <numerusform>{agent} 里有 %Ln 段空字节</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines in {agent} are not UTF-8</source>
        <translation>
            <numerusform>{agent} 有 %Ln 行不是 UTF-8</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compressed files of {agent} are damaged</source>
        <translation>
            <numerusform>{agent} 有 %Ln 个压缩文件已损坏</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: the beginning is damaged</source>
        <translation>
            <numerusform>{agent} 搁置 %Ln 个文件：开头已损坏</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: they need a dictionary to unpack</source>
        <translation>
            <numerusform>{agent} 搁置 %Ln 个文件：解压需要字典</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: they would need too much memory</source>
        <translation>
            <numerusform>{agent} 搁置 %Ln 个文件：需要的内存太多</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} could not be opened</source>
        <translation>
            <numerusform>{agent} 有 %Ln 个文件打不开</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} set aside: not a shape we know</source>
        <translation>
            <numerusform>{agent} 搁置 %Ln 个文件：不认识的格式</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {agent} read in part: they are larger than the budget</source>
        <translation>
            <numerusform>{agent} 有 %Ln 个文件只读了一部分：超过了限额</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln places skipped in {agent}</source>
        <translation>
            <numerusform>{agent} 跳过 %Ln 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Left out until the file changes or you try again.</source>
        <translation>暂不读取，直到文件变化或你再试一次。</translation>
    </message>
    <message>
        <source>The newest part of each is in.</source>
        <translation>每个文件最新的部分已收入。</translation>
    </message>
    <message>
        <source>Counted and left out. The rest of those sessions is in.</source>
        <translation>已计数并略过。这些会话的其余部分已收入。</translation>
    </message>
    <message>
        <source>It removes what was not touched for {days} days. To keep what was said, turn on “Keep deleted sessions” or “Copy session files” under Privacy.</source>
        <translation>超过 {days} 天没有改动的会话会被删除。要保留内容，请在“隐私”中打开“保留已删除的会话”或“复制会话文件”。</translation>
    </message>
    <message>
        <source>Of: {projects}. The oldest is of {day}.</source>
        <translation>项目：{projects}。最早的一份是 {day}。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <comment>between counts</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Not reachable now</source>
        <translation>现在无法访问</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>No sessions yet</source>
        <translation>还没有会话</translation>
    </message>
    <message>
        <source>Up to date, newest {when}</source>
        <translation>已是最新，最近 {when}</translation>
    </message>
    <message>
        <source>Read, newest {when}</source>
        <translation>已读取，最近 {when}</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>on disk, {share} of the text</source>
        <translation>磁盘占用，为原文的 {share}</translation>
    </message>
    <message numerus="yes">
        <source>window of %Ln days</source>
        <translation>
            <numerusform>%Ln 天的范围</numerusform>
        </translation>
    </message>
    <message>
        <source>all that was found</source>
        <translation>找到的全部</translation>
    </message>
</context>
<context>
    <name>HealthWindow</name>
    <message>
        <source>Index health</source>
        <translation>索引状况</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Needs a look</source>
        <translation>需要看一眼</translation>
    </message>
    <message>
        <source>Good to know</source>
        <translation>值得知道</translation>
    </message>
    <message>
        <source>In order</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>passages</source>
        <translation>段</translation>
    </message>
    <message>
        <source>sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Keep files…</source>
        <translation>保留文件…</translation>
    </message>
    <message>
        <source>Drafts…</source>
        <translation>草稿…</translation>
    </message>
    <message>
        <source>Rebuild index…</source>
        <translation>重建索引…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Data folder…</source>
        <translation>数据文件夹…</translation>
    </message>
    <message>
        <source>Sources…</source>
        <translation>来源…</translation>
    </message>
    <message>
        <source>Limits…</source>
        <translation>限额…</translation>
    </message>
    <message>
        <source>Meaning…</source>
        <translation>语义…</translation>
    </message>
    <message>
        <source>Hotkey…</source>
        <translation>快捷键…</translation>
    </message>
    <message>
        <source>Agents…</source>
        <translation>智能体…</translation>
    </message>
    <message>
        <source>Copied. It holds counts and paths, nothing of what was said.</source>
        <translation>已复制。只含计数和路径，不含任何对话内容。</translation>
    </message>
</context>
<context>
    <name>HistoryTab</name>
    <message>
        <source>The first that is kept</source>
        <translation>保留的第一份</translation>
    </message>
    <message>
        <source>Changed on {day}</source>
        <translation>改于 {day}</translation>
    </message>
    <message>
        <source>Nothing was changed</source>
        <translation>没有改动</translation>
    </message>
    <message>
        <source>Earlier cards</source>
        <translation>更早的卡片</translation>
    </message>
    <message>
        <source>Put this one back</source>
        <translation>放回这一份</translation>
    </message>
    <message>
        <source>Nothing yet: earlier cards are kept here, with what changed from one to the next.</source>
        <translation>还没有：更早的卡片会保存在这里，连同每一次的改动。</translation>
    </message>
</context>
<context>
    <name>HotkeyTexts</name>
    <message>
        <source>No key is set. Bind “{command}” in the system&apos;s settings, or set one here.</source>
        <translation>没有设置快捷键。请在系统设置里绑定「{command}」，或在此设置。</translation>
    </message>
    <message>
        <source>The desktop is asked for the key.</source>
        <translation>正在向桌面申请快捷键。</translation>
    </message>
    <message>
        <source>{reason} {key} stays active.</source>
        <translation>{reason}{key} 仍然有效。</translation>
    </message>
    <message>
        <source>Active. The desktop decides which key it is; change it in the system&apos;s settings.</source>
        <translation>有效。由桌面决定用哪个键；请在系统设置里更改。</translation>
    </message>
    <message>
        <source>Active.</source>
        <translation>有效。</translation>
    </message>
    <message>
        <source>{key} is taken by another program.</source>
        <translation>{key} 已被其他程序占用。</translation>
    </message>
    <message>
        <source>This keyboard has no {key}.</source>
        <translation>此键盘没有 {key}。</translation>
    </message>
    <message>
        <source>The system did not allow {key}.</source>
        <translation>系统不允许使用 {key}。</translation>
    </message>
    <message>
        <source>{key} cannot be used as a hotkey.</source>
        <translation>{key} 不能用作快捷键。</translation>
    </message>
    <message>
        <source>{key} alone could not be typed any more. Add Ctrl, Alt or Meta.</source>
        <translation>单独的 {key} 会再也打不出来。请加上 Ctrl、Alt 或 Meta。</translation>
    </message>
    <message>
        <source>{key} could not be typed any more. Add Ctrl, Alt or Meta.</source>
        <translation>{key} 会再也打不出来。请加上 Ctrl、Alt 或 Meta。</translation>
    </message>
    <message>
        <source>{key} switches Chinese input on and off. Choose another key.</source>
        <translation>{key} 用于切换中文输入。请换一个。</translation>
    </message>
    <message>
        <source>This desktop gives programs no global key.</source>
        <translation>此桌面不提供全局快捷键。</translation>
    </message>
    <message>
        <source>There is no session bus, so the desktop cannot be asked for a key.</source>
        <translation>没有会话总线，无法向桌面申请快捷键。</translation>
    </message>
    <message>
        <source>The desktop does not know this program: its desktop file is not installed.</source>
        <translation>桌面不认识此程序：没有安装它的桌面文件。</translation>
    </message>
    <message>
        <source>The screen could not be reached for the key.</source>
        <translation>无法连接屏幕来注册快捷键。</translation>
    </message>
    <message>
        <source>A library for global keys is missing.</source>
        <translation>缺少全局快捷键所需的库。</translation>
    </message>
    <message>
        <source>The key was lost; it is asked for again.</source>
        <translation>快捷键丢失，正在重新申请。</translation>
    </message>
    <message>
        <source>A global key is not supported here.</source>
        <translation>此处不支持全局快捷键。</translation>
    </message>
    <message>
        <source>Bind “{command}” to a key in the system&apos;s settings instead.</source>
        <translation>请改在系统设置里将「{command}」绑定到一个键。</translation>
    </message>
</context>
<context>
    <name>InPlaceEditor</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>IndexNews</name>
    <message>
        <source>All is read</source>
        <translation>已全部读完</translation>
    </message>
    <message>
        <source>{figures} can be searched now.</source>
        <translation>现在可以搜索 {figures}。</translation>
    </message>
</context>
<context>
    <name>IndexPage</name>
    <message>
        <source>Index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>How much is read, and when. What is cut is counted, and Index health shows it.</source>
        <translation>读多少、何时读。截去的会计数，并显示在索引状况里。</translation>
    </message>
    <message>
        <source>Days back</source>
        <translation>往回多少天</translation>
    </message>
    <message>
        <source>Older sessions are not read.</source>
        <translation>更早的会话不读取。</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 天</translation>
    </message>
    <message>
        <source>Passages for each source</source>
        <translation>每个来源的段数</translation>
    </message>
    <message>
        <source>The newest are kept.</source>
        <translation>保留最新的。</translation>
    </message>
    <message>
        <source>Passages in all</source>
        <translation>总段数</translation>
    </message>
    <message>
        <source>Text of one session file</source>
        <translation>单个会话文件的文字</translation>
    </message>
    <message>
        <source>Of a larger one the newest part is read.</source>
        <translation>更大的文件只读最新的部分。</translation>
    </message>
    <message>
        <source>Read new talk at once</source>
        <translation>立即读取新对话</translation>
    </message>
    <message>
        <source>Off: only the sweep finds it.</source>
        <translation>关闭后只靠巡检发现。</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>巡检</translation>
    </message>
    <message>
        <source>All sources are looked at this often, in case the system missed a change.</source>
        <translation>每隔这么久查看所有来源，以防系统漏报变化。</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>Rebuild index</source>
        <translation>重建索引</translation>
    </message>
    <message>
        <source>Reads every session anew, in the background. Search goes on with what is in.</source>
        <translation>在后台重新读取所有会话。期间仍可搜索已有的内容。</translation>
    </message>
    <message>
        <source>Rebuild index…</source>
        <translation>重建索引…</translation>
    </message>
</context>
<context>
    <name>KeyRecorder</name>
    <message>
        <source>Press a key…</source>
        <translation>请按一个键…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>KeyRow</name>
    <message>
        <source>Set in the environment</source>
        <translation>已在环境变量中设置</translation>
    </message>
    <message>
        <source>Set, kept in the system keyring</source>
        <translation>已设置，存于系统钥匙串</translation>
    </message>
    <message>
        <source>Paste the key</source>
        <translation>粘贴密钥</translation>
    </message>
    <message>
        <source>Paste the key; empty: the one kept for this address</source>
        <translation>粘贴密钥；留空则用此地址已存的密钥</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>The system keyring cannot be used: {reason}. Set {variable} in the environment instead.</source>
        <translation>无法使用系统钥匙串：{reason}。可改为在环境变量 {variable} 中设置。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>更换…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep the key in the system keyring</source>
        <translation>把密钥存入系统钥匙串</translation>
    </message>
    <message>
        <source>Replace the key</source>
        <translation>更换密钥</translation>
    </message>
    <message>
        <source>Remove the key</source>
        <translation>移除密钥</translation>
    </message>
    <message>
        <source>Remove the key?</source>
        <translation>移除密钥？</translation>
    </message>
    <message>
        <source>It is taken out of the system keyring. What needs it stops until another one is set.</source>
        <translation>将从系统钥匙串中移除。在设置新密钥之前，需要它的功能会停止。</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Remove key</source>
        <translation>移除密钥</translation>
    </message>
</context>
<context>
    <name>KeyStep</name>
    <message>
        <source>One key to find it</source>
        <translation>一个键就能找到</translation>
    </message>
    <message>
        <source>Then the search window opens, and what is read already can be found already.</source>
        <translation>随后打开搜索窗口，已读的内容立刻可以找到。</translation>
    </message>
    <message>
        <source>Hotkey</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Opens and hides the search window from anywhere.</source>
        <translation>在任何地方打开或隐藏搜索窗口。</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>登录时启动</translation>
    </message>
    <message>
        <source>Starts in the background, so that the index is up to date.</source>
        <translation>在后台启动，让索引保持最新。</translation>
    </message>
</context>
<context>
    <name>KeysOverlay</name>
    <message>
        <source>Move through the results</source>
        <translation>在结果中移动</translation>
    </message>
    <message>
        <source>Move by session</source>
        <translation>按会话移动</translation>
    </message>
    <message>
        <source>Read the conversation</source>
        <translation>阅读对话</translation>
    </message>
    <message>
        <source>To the right side and back</source>
        <translation>到右侧，再返回</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Choose a candidate</source>
        <translation>选择候选</translation>
    </message>
    <message>
        <source>Why a passage is there</source>
        <translation>为何出现这一段</translation>
    </message>
    <message>
        <source>Find in the conversation</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <source>Copy the passage with its citation</source>
        <translation>复制这段和出处</translation>
    </message>
    <message>
        <source>Copy into the chat</source>
        <translation>复制为聊天引用</translation>
    </message>
    <message>
        <source>Copy the resume command</source>
        <translation>复制恢复命令</translation>
    </message>
    <message>
        <source>Hand-over of this project</source>
        <translation>这个项目的交接</translation>
    </message>
    <message>
        <source>Export the session as markdown</source>
        <translation>导出会话为 Markdown</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>These keys</source>
        <translation>这些快捷键</translation>
    </message>
    <message>
        <source>Clear, then hide</source>
        <translation>清除，再按隐藏</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
</context>
<context>
    <name>LeavesBox</name>
    <message>
        <source>What leaves this machine</source>
        <translation>哪些内容会离开本机</translation>
    </message>
</context>
<context>
    <name>LeavingTexts</name>
    <message>
        <source>Nothing leaves this machine</source>
        <translation>内容不离开本机</translation>
    </message>
    <message numerus="yes">
        <source>Sends text to %Ln services</source>
        <translation>
            <numerusform>会发送文字到 %Ln 个服务</numerusform>
        </translation>
    </message>
    <message>
        <source>Sends text to {host}</source>
        <translation>会发送文字到 {host}</translation>
    </message>
    <message>
        <source>Passages, memories and questions are sent to {host}, as chosen under Meaning.</source>
        <translation>段落、记忆和问题会发送到 {host}，即“语义”中所选的服务。</translation>
    </message>
    <message>
        <source>Titles and beginnings of what you said are sent to {host}, which names what days were about.</source>
        <translation>你所说内容的标题和开头会发送到 {host}，用来概括每天的话题。</translation>
    </message>
    <message>
        <source>Nothing leaves this machine. Words and meaning are worked out here.</source>
        <translation>内容不离开本机。词语和语义都在本机处理。</translation>
    </message>
</context>
<context>
    <name>MeaningChoice</name>
    <message>
        <source>Choose a model first.</source>
        <translation>请先选择模型。</translation>
    </message>
    <message>
        <source>Download the model first.</source>
        <translation>请先下载模型。</translation>
    </message>
    <message>
        <source>Write the model first.</source>
        <translation>请先填写模型。</translation>
    </message>
    <message>
        <source>Write address and model first.</source>
        <translation>请先填写地址和模型。</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>正在尝试…</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Words only.</source>
        <translation>只按词语搜索。</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>在本机计算</translation>
    </message>
    <message>
        <source>Works at once, offline. Nothing leaves this machine.</source>
        <translation>立即可用，无需网络，内容不离开本机。</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>其他模型</translation>
    </message>
    <message>
        <source>Downloaded once, then offline. Finds better, takes more room.</source>
        <translation>下载一次，之后离线。效果更好，占用更多空间。</translation>
    </message>
    <message>
        <source>Ollama</source>
        <translation>Ollama</translation>
    </message>
    <message>
        <source>A model that your own Ollama serves.</source>
        <translation>用你自己的 Ollama 提供的模型。</translation>
    </message>
    <message>
        <source>Cloud service</source>
        <translation>云端服务</translation>
    </message>
    <message>
        <source>Any OpenAI-compatible address. Sends text away.</source>
        <translation>任何兼容 OpenAI 的地址。会把文字发送出去。</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Where models are downloaded from</source>
        <translation>模型的下载来源</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test this model</source>
        <translation>测试此模型</translation>
    </message>
</context>
<context>
    <name>MeaningPage</name>
    <message>
        <source>Meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Finds what was meant, not only what was written. Words always work, whatever you choose here.</source>
        <translation>按意思找，而不只按字面找。无论选哪项，按词语搜索始终可用。</translation>
    </message>
    <message>
        <source>Work through the library by itself</source>
        <translation>自动处理资料库</translation>
    </message>
    <message>
        <source>Off: nothing is added to what can be found by meaning.</source>
        <translation>关闭后，可按语义找到的内容不再增加。</translation>
    </message>
    <message>
        <source>Undo</source>
        <comment>a choice that is not in force yet</comment>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>启用</translation>
    </message>
</context>
<context>
    <name>MeaningTexts</name>
    <message>
        <source>the network is switched off for Backscroll</source>
        <translation>已为 Backscroll 关闭网络</translation>
    </message>
    <message>
        <source>the model is not chosen or not downloaded</source>
        <translation>未选择模型，或模型未下载</translation>
    </message>
    <message>
        <source>the service wants a key</source>
        <translation>服务需要密钥</translation>
    </message>
    <message>
        <source>the key was refused</source>
        <translation>密钥被拒绝</translation>
    </message>
    <message>
        <source>the account has no credit left</source>
        <translation>账户余额不足</translation>
    </message>
    <message>
        <source>the service asks to wait</source>
        <translation>服务要求稍候</translation>
    </message>
    <message>
        <source>the service cannot be reached</source>
        <translation>无法连接服务</translation>
    </message>
    <message>
        <source>the answer took too long</source>
        <translation>应答超时</translation>
    </message>
    <message>
        <source>the service is overloaded</source>
        <translation>服务过载</translation>
    </message>
    <message>
        <source>the answer was of no use</source>
        <translation>应答无法使用</translation>
    </message>
    <message>
        <source>the model is not there or is damaged</source>
        <translation>模型不存在或已损坏</translation>
    </message>
    <message>
        <source>the address of the service cannot be used</source>
        <translation>服务地址无法使用</translation>
    </message>
    <message>
        <source>the service refused the text</source>
        <translation>服务拒绝了文字</translation>
    </message>
    <message>
        <source>Start it without BACKSCROLL_OFFLINE, or choose “On this machine”.</source>
        <translation>启动时去掉 BACKSCROLL_OFFLINE，或选择「在本机计算」。</translation>
    </message>
    <message>
        <source>Choose a model and download it.</source>
        <translation>请选择模型并下载。</translation>
    </message>
    <message>
        <source>Set the key.</source>
        <translation>请设置密钥。</translation>
    </message>
    <message>
        <source>Replace the key, or see whether the account is verified for this model.</source>
        <translation>请更换密钥，或查看账户是否已通过认证、可用此模型。</translation>
    </message>
    <message>
        <source>Top up the account; then it goes on.</source>
        <translation>请在服务方充值，之后会继续。</translation>
    </message>
    <message>
        <source>It goes on by itself.</source>
        <translation>会自动继续。</translation>
    </message>
    <message>
        <source>See whether the address is right and the service runs. It is tried again by itself.</source>
        <translation>请查看地址是否正确、服务是否在运行。会自动重试。</translation>
    </message>
    <message>
        <source>It is tried again by itself.</source>
        <translation>会自动重试。</translation>
    </message>
    <message>
        <source>See whether the model is one for embeddings.</source>
        <translation>请查看所选模型是否为嵌入模型。</translation>
    </message>
    <message>
        <source>See how the model is written, or download it again.</source>
        <translation>请查看模型名称是否写对，或重新下载。</translation>
    </message>
    <message>
        <source>Write it as the service names it, up to /v1.</source>
        <translation>请按服务方给出的写法填写，到 /v1 为止。</translation>
    </message>
    <message>
        <source>{reason}.</source>
        <comment>a sentence of its own</comment>
        <translation>{reason}。</translation>
    </message>
    <message>
        <source>Words only: meaning cannot be searched just now.</source>
        <translation>仅按词语：暂时无法按语义搜索。</translation>
    </message>
    <message>
        <source>Words only: {reason}.</source>
        <translation>仅按词语：{reason}。</translation>
    </message>
    <message>
        <source>Meaning off</source>
        <translation>语义搜索已关闭</translation>
    </message>
    <message>
        <source>Meaning on</source>
        <translation>语义搜索已开启</translation>
    </message>
    <message>
        <source>Meaning waits</source>
        <translation>语义搜索等待中</translation>
    </message>
    <message>
        <source>Meaning stopped</source>
        <translation>语义搜索已停止</translation>
    </message>
    <message>
        <source>Working through the library for meaning: {amount}.</source>
        <translation>正在为语义搜索处理资料库：{amount}。</translation>
    </message>
    <message>
        <source>Meaning has stopped.</source>
        <translation>语义搜索已停止。</translation>
    </message>
    <message>
        <source>Meaning waits and comes back by itself.</source>
        <translation>语义搜索等待中，会自动恢复。</translation>
    </message>
    <message>
        <source>Meaning is on: {passages} can be found by it.</source>
        <translation>语义搜索已开启：{passages}可按语义找到。</translation>
    </message>
    <message>
        <source>Meaning is off. Words always work.</source>
        <translation>语义搜索已关闭。按词语搜索始终可用。</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <comment>counts</comment>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>{done} of {total} passages</source>
        <translation>{done} / {total} 段</translation>
    </message>
    <message numerus="yes">
        <source>%Ln a minute.</source>
        <translation>
            <numerusform>每分钟 %Ln 段。</numerusform>
        </translation>
    </message>
    <message>
        <source>Until it is done, the rest is found by words.</source>
        <translation>完成之前，其余部分按词语搜索。</translation>
    </message>
    <message numerus="yes">
        <source>The model refused %Ln passages; words find them.</source>
        <translation>
            <numerusform>模型拒绝了 %Ln 段，按词语可以找到。</numerusform>
        </translation>
    </message>
    <message>
        <source>Answered in {time} ms, {dims}.</source>
        <translation>应答正常，用时 {time} 毫秒，{dims}。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln dimensions</source>
        <translation>
            <numerusform>%Ln 维</numerusform>
        </translation>
    </message>
    <message>
        <source>Search goes by words alone then, and no text is sent anywhere.</source>
        <translation>之后只按词语搜索，不再向任何地方发送文字。</translation>
    </message>
    <message>
        <source>What was made for meaning stays.</source>
        <translation>已生成的语义数据会保留。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages</source>
        <comment>are made anew</comment>
        <translation>
            <numerusform>%Ln 段</numerusform>
        </translation>
    </message>
    <message>
        <source>{passages} are worked through anew, in the background. Words find everything meanwhile.</source>
        <translation>将在后台重新处理 {passages}。期间按词语仍能找到全部内容。</translation>
    </message>
    <message>
        <source>{passages} are sent to {host}, in the background. Words find everything meanwhile.</source>
        <translation>将在后台把 {passages}发往 {host}。期间按词语仍能找到全部内容。</translation>
    </message>
    <message>
        <source>Each indexed passage once, and each question as you ask it, to {host}.</source>
        <translation>每个已收录段落发送一次，每次提问发送一次，发往 {host}。</translation>
    </message>
    <message>
        <source>the service</source>
        <translation>该服务</translation>
    </message>
    <message>
        <source>Nothing but the download of the model. Passages and questions stay here.</source>
        <translation>除下载模型外没有。段落和提问都留在本机。</translation>
    </message>
    <message>
        <source>Nothing. The service runs on this machine.</source>
        <translation>没有。服务就在本机运行。</translation>
    </message>
    <message>
        <source>Nothing.</source>
        <translation>没有。</translation>
    </message>
    <message>
        <source>Excluded paths never. Secrets that were recognised are replaced before anything is sent.</source>
        <translation>排除的路径从不发送；识别出的密钥在发送前已被替换。</translation>
    </message>
</context>
<context>
    <name>MemoriesPanel</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Write down a memory (Ctrl+N)</source>
        <translation>记下一条记忆 (Ctrl+N)</translation>
    </message>
    <message>
        <source>State of the memories</source>
        <translation>记忆的状态</translation>
    </message>
    <message>
        <source>F2 edits, Del archives</source>
        <translation>按 F2 编辑，按 Del 归档</translation>
    </message>
    <message>
        <source>None. What a session learns for good is written down here, by agents and by you.</source>
        <translation>没有。会话里长久有用的东西记在这里，由智能体和你写下。</translation>
    </message>
</context>
<context>
    <name>ModelList</name>
    <message>
        <source>Downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Download {model}</source>
        <translation>下载 {model}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the download of {model}</source>
        <translation>取消下载 {model}</translation>
    </message>
    <message>
        <source>A folder of my own</source>
        <translation>我自己的文件夹</translation>
    </message>
    <message>
        <source>With an ONNX model and its tokenizer.</source>
        <translation>其中有 ONNX 模型及其分词器。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the folder of a model</source>
        <translation>选择模型所在的文件夹</translation>
    </message>
    <message>
        <source>The folder of a model</source>
        <translation>模型所在的文件夹</translation>
    </message>
</context>
<context>
    <name>ModelTexts</name>
    <message>
        <source>Chinese</source>
        <translation>中文</translation>
    </message>
    <message>
        <source>English</source>
        <translation>英文</translation>
    </message>
    <message>
        <source>Chinese and English</source>
        <translation>中文和英文</translation>
    </message>
    <message>
        <source>many languages</source>
        <translation>多种语言</translation>
    </message>
    <message>
        <source>recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>light</source>
        <translation>轻量</translation>
    </message>
    <message>
        <source>finds best</source>
        <translation>效果最好</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <comment>bytes</comment>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>The download failed: {reason}</source>
        <translation>下载失败：{reason}</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>This desktop has no tray.</source>
        <translation>这个桌面没有托盘。</translation>
    </message>
    <message>
        <source>{key} and the application menu still open this window.</source>
        <translation>{key} 和应用菜单仍可打开此窗口。</translation>
    </message>
    <message>
        <source>Install the AppIndicator extension, or bind “backscroll toggle” to a key.</source>
        <translation>请安装 AppIndicator 扩展，或将「backscroll toggle」绑定到一个按键。</translation>
    </message>
    <message>
        <source>Bind “backscroll toggle” to a key, or open Backscroll from the application menu.</source>
        <translation>请将「backscroll toggle」绑定到一个按键，或从应用菜单打开 Backscroll。</translation>
    </message>
    <message>
        <source>The hotkey is not active</source>
        <translation>快捷键未生效</translation>
    </message>
</context>
<context>
    <name>OpenMemory</name>
    <message>
        <source>Kind of the new memory</source>
        <translation>新记忆的种类</translation>
    </message>
    <message>
        <source>Text of the memory</source>
        <translation>记忆的内容</translation>
    </message>
    <message>
        <source>One lasting statement about this project</source>
        <translation>关于这个项目的一条长久有效的话</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>PackPane</name>
    <message>
        <source>of {budget} tokens</source>
        <translation>/ {budget} 词元</translation>
    </message>
    <message>
        <source>Context pack</source>
        <translation>上下文包</translation>
    </message>
    <message>
        <source>What the next session reads first.</source>
        <translation>下一个会话最先读到的内容。</translation>
    </message>
    <message>
        <source>for all projects</source>
        <translation>对所有项目有效</translation>
    </message>
    <message>
        <source>Size of the pack, in tokens</source>
        <translation>上下文包的大小（词元）</translation>
    </message>
    <message>
        <source>Text of the pack</source>
        <translation>上下文包的文字</translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>What is kept of your sessions, and what is not.</source>
        <translation>会话里保留什么、不保留什么。</translation>
    </message>
    <message>
        <source>Hide secrets</source>
        <translation>隐藏密钥</translation>
    </message>
    <message>
        <source>Keys and passwords are replaced before anything is stored.</source>
        <translation>密钥和密码在存储之前就会被替换。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln are hidden so far.</source>
        <translation>
            <numerusform>到目前为止已隐藏 %Ln 处。</numerusform>
        </translation>
    </message>
    <message>
        <source>Tool calls and results</source>
        <translation>工具调用和结果</translation>
    </message>
    <message>
        <source>What tools were asked and answered can be found.</source>
        <translation>工具的请求和回答可以被找到。</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>What the model thought before it answered can be found.</source>
        <translation>模型回答前的思考可以被找到。</translation>
    </message>
    <message>
        <source>Excluded files</source>
        <translation>排除的文件</translation>
    </message>
    <message>
        <source>Text of these files is never indexed. One pattern a line, such as *.pem</source>
        <translation>这些文件的文字绝不收入索引。每行一个模式，例如 *.pem</translation>
    </message>
    <message>
        <source>Excluded folders</source>
        <translation>排除的文件夹</translation>
    </message>
    <message>
        <source>Sessions that were held in these folders are not read. One folder a line.</source>
        <translation>在这些文件夹里进行的会话不读取。每行一个文件夹。</translation>
    </message>
    <message>
        <source>Keep deleted sessions</source>
        <translation>保留已删除的会话</translation>
    </message>
    <message>
        <source>Sessions that their agent deletes can still be found, and are marked.</source>
        <translation>被智能体删除的会话仍可搜索到，并带有标记。</translation>
    </message>
    <message>
        <source>Copy session files</source>
        <translation>复制会话文件</translation>
    </message>
    <message>
        <source>Copies are kept before agents delete the files. They are as the agent wrote them, secrets too.</source>
        <translation>在智能体删除文件之前保存副本。副本与智能体写下的内容完全相同，密钥也包含在内。</translation>
    </message>
    <message>
        <source>Copy after</source>
        <translation>多久之后复制</translation>
    </message>
    <message>
        <source>Files that were not touched for so long are copied.</source>
        <translation>这么久没有改动过的文件会被复制。</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 天</translation>
    </message>
    <message>
        <source>Clear index…</source>
        <translation>清空索引…</translation>
    </message>
    <message>
        <source>Clear index</source>
        <translation>清空索引</translation>
    </message>
    <message>
        <source>Removes all that was read from the index. Your session files are not touched.</source>
        <translation>从索引中移除所有已读内容。不会动你的会话文件。</translation>
    </message>
</context>
<context>
    <name>ProblemsDialog</name>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Copy list</source>
        <translation>复制列表</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>kinds without a name</source>
        <translation>没有名称的种类</translation>
    </message>
</context>
<context>
    <name>ProjectColumn</name>
    <message>
        <source>No space</source>
        <translation>不在空间内</translation>
    </message>
    <message>
        <source>Find a project</source>
        <translation>查找项目</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空间</translation>
    </message>
    <message>
        <source>No project is called so.</source>
        <translation>没有这样的项目。</translation>
    </message>
</context>
<context>
    <name>QueryBar</name>
    <message>
        <source>What was it about?</source>
        <translation>想找哪段对话？</translation>
    </message>
    <message>
        <source>Search what was said</source>
        <translation>搜索说过的话</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
</context>
<context>
    <name>ReadingPane</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>message {place} of {total}</source>
        <translation>第 {place} / {total} 条消息</translation>
    </message>
</context>
<context>
    <name>RedactionBox</name>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Paste a text and see what would be stored of it. Nothing of it is kept or logged.</source>
        <translation>粘贴一段文字，看看会存下什么。它不会被保留，也不会写入日志。</translation>
    </message>
    <message>
        <source>Text with a key or a password</source>
        <translation>带有密钥或密码的文字</translation>
    </message>
    <message>
        <source>Text to try</source>
        <translation>要试的文字</translation>
    </message>
    <message>
        <source>As it would be stored</source>
        <translation>存下来的样子</translation>
    </message>
    <message>
        <source>When the rules change, everything is read anew in the background.</source>
        <translation>规则改变时，所有内容会在后台重新读取。</translation>
    </message>
    <message>
        <source>Secrets are not hidden now: the text would be stored as it is.</source>
        <translation>现在不隐藏密钥：文字会原样存下。</translation>
    </message>
    <message>
        <source>Nothing in it would be hidden.</source>
        <translation>其中没有会被隐藏的内容。</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between listed names</comment>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>%Ln parts would be hidden: {names}.</source>
        <translation>
            <numerusform>会隐藏 %Ln 处：{names}。</numerusform>
        </translation>
    </message>
    <message>
        <source>Only the first {count} characters are looked at.</source>
        <translation>只看前 {count} 个字符。</translation>
    </message>
</context>
<context>
    <name>RereadPage</name>
    <message>
        <source>Undo</source>
        <comment>changes of settings</comment>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>This change reads all sessions again, in the background. Search goes on with what is in.</source>
        <translation>此更改会在后台重新读取所有会话。期间仍可搜索已有的内容。</translation>
    </message>
</context>
<context>
    <name>SearchCopies</name>
    <message>
        <source>Nothing is chosen to copy</source>
        <translation>没有选中可复制的内容</translation>
    </message>
    <message>
        <source>Copied, with its citation</source>
        <translation>已复制，附出处</translation>
    </message>
    <message>
        <source>Copied as a quotation for the chat</source>
        <translation>已复制为聊天引用</translation>
    </message>
    <message>
        <source>Resume command copied</source>
        <translation>已复制恢复命令</translation>
    </message>
    <message>
        <source>This session has no resume command</source>
        <translation>此会话没有恢复命令</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>No session is chosen to export</source>
        <translation>没有选中可导出的会话</translation>
    </message>
    <message>
        <source>Reading the session…</source>
        <translation>正在读取会话…</translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation>未保存：{reason}</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>已保存为 {name}</translation>
    </message>
    <message>
        <source>Export the session</source>
        <translation>导出会话</translation>
    </message>
    <message>
        <source>Not copied: the clipboard did not take it</source>
        <translation>未复制：剪贴板没有接受</translation>
    </message>
    <message>
        <source>Copied, but not pasted. Go to the chat and paste it there.</source>
        <translation>已复制，但未能粘贴。请到对话里粘贴。</translation>
    </message>
</context>
<context>
    <name>SearchFrame</name>
    <message>
        <source>Keys</source>
        <comment>what F1 shows</comment>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>SearchWindow</name>
    <message numerus="yes">
        <source>%Ln passages so far</source>
        <translation>
            <numerusform>目前 %Ln 段</numerusform>
        </translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>ServiceFields</name>
    <message>
        <source>Service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>https://… up to /v1</source>
        <translation>https://… 到 /v1 为止</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Length of vectors</source>
        <translation>向量长度</translation>
    </message>
    <message>
        <source>Model&apos;s own</source>
        <translation>模型默认</translation>
    </message>
    <message>
        <source>Some services can shorten them.</source>
        <translation>部分服务可以缩短向量。</translation>
    </message>
</context>
<context>
    <name>ServiceTexts</name>
    <message>
        <source>SiliconFlow</source>
        <translation>硅基流动</translation>
    </message>
    <message>
        <source>Zhipu AI</source>
        <translation>智谱</translation>
    </message>
    <message>
        <source>Alibaba Cloud</source>
        <translation>阿里云百炼</translation>
    </message>
    <message>
        <source>Another one</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Begin with http:// or https://</source>
        <translation>请以 http:// 或 https:// 开头</translation>
    </message>
    <message>
        <source>This address cannot be read.</source>
        <translation>无法识别这个地址。</translation>
    </message>
    <message>
        <source>Leave name and password out: the address is kept in a file.</source>
        <translation>请去掉用户名和密码：地址会存入文件。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Your session files are not touched. Indexing is paused until you resume it.</source>
        <translation>不会动你的会话文件。索引会暂停，直到你恢复。</translation>
    </message>
    <message>
        <source>{passages} are removed from the index.</source>
        <translation>将从索引移除 {passages}。</translation>
    </message>
    <message>
        <source>Clear the whole index?</source>
        <translation>要清空整个索引吗？</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Clear index</source>
        <translation>清空索引</translation>
    </message>
</context>
<context>
    <name>SourceTexts</name>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Not reachable now; what was read stays</source>
        <translation>现在无法访问；已读的内容保留</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Off: not ticked</source>
        <translation>关闭：未勾选</translation>
    </message>
    <message>
        <source>Off: excluded</source>
        <translation>关闭：已排除</translation>
    </message>
    <message>
        <source>Off: the folder cannot be read</source>
        <translation>关闭：文件夹无法读取</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Remove this folder</source>
        <translation>移除此文件夹</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between counts</comment>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>SourcesPage</name>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Backscroll reads only what is on here. It never writes to these folders.</source>
        <translation>Backscroll 只读取这里启用的来源，绝不写入这些文件夹。</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>No agent&apos;s sessions were found on this machine.</source>
        <translation>在本机没有找到任何智能体的会话。</translation>
    </message>
    <message>
        <source>Looking for sessions…</source>
        <translation>正在寻找会话…</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Not found here: {names}. They will show up by themselves once they are used.</source>
        <translation>本机没有：{names}。使用之后会自动出现。</translation>
    </message>
</context>
<context>
    <name>SourcesStep</name>
    <message>
        <source>What may Backscroll read?</source>
        <translation>Backscroll 可以读取哪些？</translation>
    </message>
    <message>
        <source>These were found on this machine. Only ticked ones are read, and nothing is ever written to them.</source>
        <translation>在本机找到了这些。只读取勾选的，绝不写入。</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>No sessions were found. Add a folder, or go on: they show up by themselves once an agent is used.</source>
        <translation>没有找到会话。可以添加文件夹，或继续：使用智能体之后会自动出现。</translation>
    </message>
    <message>
        <source>Looking for sessions…</source>
        <translation>正在寻找会话…</translation>
    </message>
</context>
<context>
    <name>SpanText</name>
    <message>
        <source>removed: {text}</source>
        <translation>删去：{text}</translation>
    </message>
    <message>
        <source>added: {text}</source>
        <translation>加入：{text}</translation>
    </message>
</context>
<context>
    <name>Speaking</name>
    <message>
        <source>Open settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Search all time</source>
        <translation>搜索全部时间</translation>
    </message>
    <message>
        <source>Search without {filter}</source>
        <translation>去掉{filter}再搜</translation>
    </message>
    <message>
        <source>Still reading. What is in already can be found already.</source>
        <translation>还在读取。已收录的内容现在就能找到。</translation>
    </message>
</context>
<context>
    <name>TimeStep</name>
    <message>
        <source>How far back?</source>
        <translation>往回读多久？</translation>
    </message>
    <message>
        <source>It can be changed later; what is older is then read, or left out.</source>
        <translation>以后可以更改；更早的内容会随之读取或略去。</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All sessions that are there.</source>
        <translation>现有的全部会话。</translation>
    </message>
    <message>
        <source>One year</source>
        <translation>一年</translation>
    </message>
    <message>
        <source>Older ones are not read.</source>
        <translation>更早的不读取。</translation>
    </message>
    <message>
        <source>90 days</source>
        <translation>90 天</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>The least, for a first look.</source>
        <translation>最少，先看一看。</translation>
    </message>
</context>
<context>
    <name>TopicsBox</name>
    <message>
        <source>Topics of a day</source>
        <translation>每日话题</translation>
    </message>
    <message>
        <source>What stands beside the days while the field is empty, and in case of doubt.</source>
        <translation>搜索框为空时与不确定时，显示在日期旁的内容。</translation>
    </message>
    <message>
        <source>From the words, here</source>
        <translation>在本机由词语提取</translation>
    </message>
    <message>
        <source>By a model of Ollama</source>
        <translation>由 Ollama 的模型命名</translation>
    </message>
    <message>
        <source>By a cloud service</source>
        <translation>由云端服务命名</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Until address and model are written, topics come from the words.</source>
        <translation>填好地址和模型之前，话题由词语提取。</translation>
    </message>
    <message>
        <source>To name a day&apos;s topics, titles and beginnings of what you said go to {host}, without secrets; never what agents or tools said.</source>
        <translation>为命名话题，会把会话标题和你所说内容的开头发送到 {host}，不含密钥；智能体和工具的内容从不发送。</translation>
    </message>
    <message>
        <source>What was said on a day stays on this machine.</source>
        <translation>当天的对话留在本机。</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>Open search</source>
        <translation>打开搜索</translation>
    </message>
    <message>
        <source>Pause indexing</source>
        <translation>暂停索引</translation>
    </message>
    <message>
        <source>For 30 minutes</source>
        <translation>30 分钟</translation>
    </message>
    <message>
        <source>Until I resume</source>
        <translation>直到我恢复</translation>
    </message>
    <message>
        <source>Resume indexing</source>
        <translation>恢复索引</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>立即更新</translation>
    </message>
    <message>
        <source>Rebuild index…</source>
        <translation>重建索引…</translation>
    </message>
    <message>
        <source>Hand-over card…</source>
        <translation>交接卡片…</translation>
    </message>
    <message>
        <source>Index health…</source>
        <translation>索引状况…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>TrayTexts</name>
    <message>
        <source>Paused until {time}</source>
        <translation>已暂停到 {time}</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Reading, {done} of {total}</source>
        <translation>正在读取，{done} / {total}</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>{passages} from {sessions}</source>
        <translation>{sessions}，{passages}</translation>
    </message>
    <message>
        <source>Nothing read yet</source>
        <translation>还没有读取</translation>
    </message>
    <message>
        <source>The system tells of no changes; sources are looked at every minute.</source>
        <translation>系统不通知变化；每分钟查看一次来源。</translation>
    </message>
</context>
<context>
    <name>VersionTexts</name>
    <message>
        <source>text rules {number}</source>
        <translation>文字规则 {number}</translation>
    </message>
    <message>
        <source>index {number}</source>
        <translation>索引 {number}</translation>
    </message>
</context>
<context>
    <name>WhatStep</name>
    <message>
        <source>Find what was said</source>
        <translation>找到说过的话</translation>
    </message>
    <message>
        <source>Everything you and your coding agents ever said on this machine, in one search.</source>
        <translation>你和编程智能体在本机说过的一切，一次搜遍。</translation>
    </message>
    <message>
        <source>Type what you remember. You get the passage, and the whole conversation around it.</source>
        <translation>输入你记得的内容，就能得到那一段和前后的整个对话。</translation>
    </message>
    <message>
        <source>Sessions of your agents are read where they lie. Nothing is ever written to them.</source>
        <translation>智能体的会话就地读取，绝不写入。</translation>
    </message>
    <message>
        <source>All of it stays on this machine. Nothing is sent anywhere.</source>
        <translation>内容全部留在本机，不会发送到任何地方。</translation>
    </message>
    <message>
        <source>Keys and passwords are replaced before anything is stored.</source>
        <translation>密钥和密码在存储之前就会被替换。</translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>WhyTexts</name>
    <message>
        <source>Words</source>
        <translation>词语</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>排位</translation>
    </message>
    <message>
        <source>Why here</source>
        <translation>为何在此</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between words</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>rank {rank}</source>
        <translation>第 {rank} 位</translation>
    </message>
    <message>
        <source>In it</source>
        <translation>其中</translation>
    </message>
    <message>
        <source>Why here: by words</source>
        <translation>为何在此：按词语</translation>
    </message>
    <message>
        <source>Why here: by words and meaning</source>
        <translation>为何在此：按词语和语义</translation>
    </message>
    <message>
        <source>Why here: by meaning</source>
        <translation>为何在此：按语义</translation>
    </message>
    <message>
        <source>translated: {words}</source>
        <translation>译为：{words}</translation>
    </message>
    <message>
        <source>likeness {number}</source>
        <translation>相似度 {number}</translation>
    </message>
    <message>
        <source>within {time}</source>
        <translation>在{time}之内</translation>
    </message>
    <message>
        <source>within the time that was meant</source>
        <translation>在所指时间之内</translation>
    </message>
    <message>
        <source>outside {time}</source>
        <translation>在{time}之外</translation>
    </message>
    <message>
        <source>outside the time that was meant</source>
        <translation>在所指时间之外</translation>
    </message>
    <message>
        <source>{rank} of {hits}</source>
        <translation>第 {rank} / {hits}</translation>
    </message>
    <message>
        <source>score {number}</source>
        <translation>得分 {number}</translation>
    </message>
    <message>
        <source>held back: repeats the question</source>
        <translation>已后移：只是重复问题</translation>
    </message>
    <message>
        <source>kind ×{number}</source>
        <translation>类型 ×{number}</translation>
    </message>
    <message>
        <source>beside +{number}</source>
        <translation>相邻 +{number}</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>Memory files</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>said by you</source>
        <translation>你说的</translation>
    </message>
    <message>
        <source>said by the agent</source>
        <translation>智能体说的</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>tool results</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词语</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Not sure. Is it one of these?</source>
        <translation>不太确定。是这些中的一个吗？</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between listed words</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation>「{word}」</translation>
    </message>
    <message>
        <source>The words stand together in one passage.</source>
        <translation>这些词出现在同一段里。</translation>
    </message>
    <message>
        <source>This passage means what was asked.</source>
        <translation>这一段的意思与提问相符。</translation>
    </message>
    <message>
        <source>The words and the meaning point to the same passage.</source>
        <translation>词语和语义指向同一段。</translation>
    </message>
    <message>
        <source>No passage matches well enough to be called the answer.</source>
        <translation>没有哪一段足够匹配，不能算作答案。</translation>
    </message>
    <message>
        <source>What is nearest in meaning is not near enough to be called the answer.</source>
        <translation>意思最接近的一段仍不够接近，不能算作答案。</translation>
    </message>
    <message>
        <source>The agent only repeats the question there.</source>
        <translation>那一段里，智能体只是重复了问题。</translation>
    </message>
    <message>
        <source>The words and the meaning point to different passages.</source>
        <translation>词语和语义指向不同的段落。</translation>
    </message>
    <message>
        <source>No passage has {words}.</source>
        <translation>没有任何一段含有{words}。</translation>
    </message>
    <message>
        <source>Some words stand in no passage.</source>
        <translation>有些词在任何一段里都没有。</translation>
    </message>
    <message>
        <source>There is no word to search for.</source>
        <translation>没有可搜索的词。</translation>
    </message>
    <message>
        <source>Nothing matches these words.</source>
        <translation>没有匹配这些词的内容。</translation>
    </message>
    <message>
        <source>Nothing matches in that time.</source>
        <translation>那段时间里没有匹配的内容。</translation>
    </message>
    <message>
        <source>What matches is excluded by a word with a minus.</source>
        <translation>匹配的内容被带减号的词排除了。</translation>
    </message>
    <message>
        <source>Nothing has been read yet.</source>
        <translation>还没有读取任何内容。</translation>
    </message>
    <message>
        <source>A filter names something that is not in the index.</source>
        <translation>筛选的内容不在索引里。</translation>
    </message>
    <message>
        <source>The question is too long; its beginning was used.</source>
        <translation>问题太长，只用了开头部分。</translation>
    </message>
    <message>
        <source>The latest passages.</source>
        <translation>最近的段落。</translation>
    </message>
    <message>
        <source>The settings file cannot be read, so nothing was saved. Mend or remove it.</source>
        <translation>设置文件无法读取，所以没有保存。请修复或移除它。</translation>
    </message>
    <message>
        <source>The settings file cannot be written. The change holds until you quit.</source>
        <translation>设置文件无法写入。更改在退出前有效。</translation>
    </message>
    <message>
        <source>Another program holds the index. Quit it and try again.</source>
        <translation>索引正被另一个程序占用。请退出它再试。</translation>
    </message>
    <message>
        <source>The index was made by a newer version. Update this one.</source>
        <translation>索引由更新的版本建立。请更新本程序。</translation>
    </message>
    <message>
        <source>The index cannot be written. Look at the folder&apos;s permissions.</source>
        <translation>索引无法写入。请检查文件夹的权限。</translation>
    </message>
    <message>
        <source>The data folder cannot be written. Look at its permissions.</source>
        <translation>数据文件夹无法写入。请检查它的权限。</translation>
    </message>
    <message>
        <source>The data folder cannot be reached.</source>
        <translation>无法访问数据文件夹。</translation>
    </message>
    <message>
        <source>This session is not in the index any more.</source>
        <translation>此会话已不在索引里。</translation>
    </message>
    <message>
        <source>The disk is full. Nothing more is read until there is room.</source>
        <translation>磁盘已满。腾出空间之前不再读取。</translation>
    </message>
    <message>
        <source>The data folder belongs to another user. Start Backscroll as that user.</source>
        <translation>数据文件夹属于另一个用户。请以该用户的身份启动 Backscroll。</translation>
    </message>
    <message>
        <source>This passage is not in the index any more. Search again.</source>
        <translation>这一段已不在索引里。请重新搜索。</translation>
    </message>
    <message>
        <source>There is no agent of that name.</source>
        <translation>没有叫这个名字的智能体。</translation>
    </message>
    <message>
        <source>The system keyring cannot be used, so no key was kept. The environment can hold it.</source>
        <translation>无法使用系统钥匙串，密钥没有保存。可以改用环境变量。</translation>
    </message>
    <message>
        <source>That is no key: it is one word, without spaces. Copy it again.</source>
        <translation>这不是密钥：密钥是一串不含空格的字符。请重新复制。</translation>
    </message>
    <message>
        <source>The program that holds the index has gone. Try again.</source>
        <translation>占用索引的程序已退出。请再试一次。</translation>
    </message>
    <message>
        <source>The program that holds the index does not answer. Quit it and try again.</source>
        <translation>占用索引的程序没有响应。请退出它再试。</translation>
    </message>
    <message>
        <source>Another version of Backscroll is running. Quit it, then start again.</source>
        <translation>正在运行的是另一个版本的 Backscroll。请先退出它，再重新启动。</translation>
    </message>
    <message>
        <source>The answer is too large to be shown. Ask for less.</source>
        <translation>结果太大，无法显示。请缩小范围。</translation>
    </message>
    <message>
        <source>The question is too long. Shorten it.</source>
        <translation>问题太长。请缩短。</translation>
    </message>
    <message>
        <source>There is no project of that name any more.</source>
        <translation>已经没有这个名称的项目。</translation>
    </message>
    <message>
        <source>This memory is not there any more.</source>
        <translation>这条记忆已不在。</translation>
    </message>
    <message>
        <source>There is nothing in it to keep.</source>
        <translation>里面没有可保存的内容。</translation>
    </message>
    <message>
        <source>That is too long to be kept. Shorten it, or make several of it.</source>
        <translation>太长，无法保存。请缩短，或分成几条。</translation>
    </message>
    <message>
        <source>Another memory of this project says that already.</source>
        <translation>这个项目已有一条相同的记忆。</translation>
    </message>
    <message>
        <source>No draft waits any more.</source>
        <translation>已经没有待看的草稿。</translation>
    </message>
    <message>
        <source>Memory cannot be written, so nothing was kept. Look at the folder&apos;s permissions.</source>
        <translation>记忆无法写入，所以没有保存。请检查目录权限。</translation>
    </message>
    <message>
        <source>Memory cannot be opened. The log has the details.</source>
        <translation>记忆无法打开。详情见日志。</translation>
    </message>
    <message>
        <source>Memory is damaged and could not be restored. Restore a backup.</source>
        <translation>记忆已损坏，无法修复。请恢复备份。</translation>
    </message>
    <message>
        <source>Memory was written by a newer version. Update this one.</source>
        <translation>记忆由更新的版本写入。请更新本程序。</translation>
    </message>
    <message>
        <source>This agent was never used here. Start it once, then try again.</source>
        <translation>本机从未使用过该智能体。先启动一次，再重试。</translation>
    </message>
    <message>
        <source>This agent reads no instructions from a file.</source>
        <translation>该智能体不从文件读取使用说明。</translation>
    </message>
    <message>
        <source>The server for agents is not part of this installation. Install the package “mcp” beside it.</source>
        <translation>当前安装不含面向智能体的服务。请在同一环境中安装“mcp”包。</translation>
    </message>
    <message>
        <source>No copy of the file could be kept, so nothing was changed.</source>
        <translation>无法保存文件副本，因此未作任何改动。</translation>
    </message>
    <message>
        <source>Something went wrong. The log has the details.</source>
        <translation>出错了。详情见日志。</translation>
    </message>
    <message>
        <source>{file}, line {line}</source>
        <translation>{file} 第 {line} 行</translation>
    </message>
    <message>
        <source>{place}: written in a way that cannot be changed safely, so it was left as it is.</source>
        <translation>{place}：其写法无法安全改动，已保持原样。</translation>
    </message>
    <message>
        <source>{place}: a mistake in the file. It was left as it is; mend it, and try again.</source>
        <translation>{place}：文件有错误，已保持原样。请修正后重试。</translation>
    </message>
    <message>
        <source>{place}: an entry called “backscroll” is there that is not this program. It was left.</source>
        <translation>{place}：已有名为“backscroll”的条目，但不是本程序。已保持原样。</translation>
    </message>
    <message>
        <source>{place} cannot be read.</source>
        <translation>{place} 无法读取。</translation>
    </message>
    <message>
        <source>{place} is no ordinary file of yours, so it was left as it is.</source>
        <translation>{place} 不是属于你的普通文件，已保持原样。</translation>
    </message>
    <message>
        <source>{place} is not UTF-8 text, so it was left as it is.</source>
        <translation>{place} 不是 UTF-8 文本，已保持原样。</translation>
    </message>
    <message>
        <source>{place} is write-protected. Take the protection off and try again.</source>
        <translation>{place} 是只读的。取消只读后重试。</translation>
    </message>
    <message>
        <source>{place} was changed by another program meanwhile. Try again.</source>
        <translation>{place} 在此期间被其他程序改动。请重试。</translation>
    </message>
    <message>
        <source>{place} cannot be written. It is as it was.</source>
        <translation>{place} 无法写入，仍是原样。</translation>
    </message>
    <message>
        <source>{one} {two}</source>
        <comment>two sentences, one after the other</comment>
        <translation>{one}{two}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages</source>
        <translation>
            <numerusform>%Ln 段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions</source>
        <translation>
            <numerusform>%Ln 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>{passages} in {sessions}</source>
        <translation>{sessions}，{passages}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln skipped</source>
        <translation>
            <numerusform>跳过 %Ln</numerusform>
        </translation>
    </message>
    <message>
        <source>Outside {time}</source>
        <translation>不在{time}</translation>
    </message>
    <message>
        <source>Outside that time</source>
        <translation>不在那段时间</translation>
    </message>
    <message numerus="yes">
        <source>also in %Ln other places</source>
        <translation>
            <numerusform>另见 %Ln 处</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sub-agents</source>
        <translation>
            <numerusform>%Ln 个子代理</numerusform>
        </translation>
    </message>
    <message>
        <source>sub-agent of “{title}”</source>
        <translation>“{title}”的子代理</translation>
    </message>
    <message>
        <source>sub-agent</source>
        <translation>子代理</translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation>最近的会话</translation>
    </message>
    <message numerus="yes">
        <source>%Ln turns</source>
        <translation>
            <numerusform>%Ln 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>None of these: look further</source>
        <translation>都不是：继续找</translation>
    </message>
    <message>
        <source>chooses one</source>
        <comment>after the keys Alt + 1…4</comment>
        <translation>选择一个</translation>
    </message>
    <message>
        <source>Session without a title</source>
        <translation>无标题的会话</translation>
    </message>
    <message>
        <source>{done} of {total} sessions</source>
        <translation>{done} / {total} 个会话</translation>
    </message>
</context>
<context>
    <name>_Head</name>
    <message>
        <source>source deleted</source>
        <translation>源文件已删除</translation>
    </message>
    <message>
        <source>Copy with citation</source>
        <translation>复制并附出处</translation>
    </message>
    <message>
        <source>Copy into the chat</source>
        <translation>复制为聊天引用</translation>
    </message>
    <message>
        <source>Copy the resume command</source>
        <translation>复制恢复命令</translation>
    </message>
    <message>
        <source>Hand-over of this project</source>
        <translation>这个项目的交接</translation>
    </message>
    <message>
        <source>Export the session as markdown</source>
        <translation>导出会话为 Markdown</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Hit {place} of {hits}</source>
        <translation>第 {place} / {hits} 处</translation>
    </message>
</context>
</TS>
