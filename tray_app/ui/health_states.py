"""What Index health says of how the program itself stands: its parts, its folders, its backups, the keyring, the key, the tray, the
socket, and the agents' entries. The rest is `health_texts`'.

Owns words; no widget.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from tray_app.paths import shorten
from tray_app.records import Finding
from tray_app.ui import i18n
from tray_app.ui.hotkey_texts import HotkeyTexts
from tray_app.ui.standing import state_of

Said = tuple[str, str]
"""What, and what follows from it."""


class HealthStates:
    @staticmethod
    def tr(text: str, comment: str = "", number: int = -1) -> str:
        return QCoreApplication.translate("HealthStates", text, comment, number)

    def said(self, finding: Finding, number: int) -> Said | None:
        """None for a code that is not known here. `number` is the finding's count."""
        given = finding.params
        parts = (self._of_index, self._of_program, self._of_folders, self._of_backups, self._of_keys, self._of_others)
        return next((said for part in parts if (said := part(finding, number, given)) is not None), None)

    def _of_index(self, finding: Finding, number: int, given: dict[str, str]) -> Said | None:
        texts = {
            "index_uneven": (
                self.tr("The parts of the index do not agree"),
                self.tr("Some passages cannot be found. Rebuild the index; search goes on with what is in."),
            ),
            "index_differs": (
                self.tr("%Ln sessions read once more are not as in the index", "", number),
                self.tr("Of {total} that were compared with their files. Rebuild the index; search goes on with what is in.").format(
                    total=given.get("total", "")
                ),
            ),
            "index_proved": (
                self.tr("%Ln sessions read once more, and found as in the index", "", number),
                self.tr("{messages} messages and {passages} passages were compared with their files.").format(
                    messages=given.get("messages", ""), passages=given.get("passages", "")
                ),
            ),
            "clock_back": (
                self.tr("The clock of this machine was put back"),
                self.tr("The index was read on {moment} UTC, which has not come yet.").format(moment=given.get("moment", "")),
            ),
            "times_ahead": (
                self.tr("A message is of a day that has not come yet"),
                self.tr("The newest is of {moment} UTC. Whoever wrote it had another clock.").format(moment=given.get("moment", "")),
            ),
            "topics_stopped": (
                self.tr("The chat model names no topics"),
                self.tr("{reason} Words name the days meanwhile.").format(reason=given.get("reason", finding.detail)),
            ),
        }  # fmt: skip
        return texts.get(finding.code)

    def _of_program(self, finding: Finding, number: int, given: dict[str, str]) -> Said | None:
        texts = {
            "versions": (self.tr("Versions"), self._versions(given)),
            "unfit_pair": (
                self.tr("{one} and {other} do not fit").format(one=given.get("one", ""), other=given.get("other", "")),
                given.get("remedy", finding.remedy),
            ),
            "mcp_missing": (
                self.tr("Agents cannot ask: the MCP SDK is not installed"),
                self.tr("Hooks and the command line work without it. To install it: {command}").format(command=MCP_COMMAND),
            ),
            "not_checked": (
                self.tr("Not checked: {what}").format(what=self._looked_at(given.get("what", ""))),
                self.tr("It gave no answer, or failed. See whether its disk or service answers, then check again."),
            ),
            "log_errors": (
                self.tr("%Ln errors in the log within a week", "", number),
                self.tr("The last one, {moment}: {reason}").format(moment=given.get("moment", ""), reason=given.get("reason", "")),
            ),
        }  # fmt: skip
        return texts.get(finding.code)

    def _versions(self, given: dict[str, str]) -> str:
        none = self.tr("none", "in place of a version")
        names = ("program", "python", "database", "extension", "qt", "mcp", "index", "memory", "rules", "system")
        told = {name: given.get(name) or none for name in names}
        words = self.tr(
            "Backscroll {program} · Python {python} · DuckDB {database} · full-text extension {extension} · Qt {qt} · MCP SDK {mcp} · "
            "index {index} · memory {memory} · text rules {rules} · {system}"
        )
        return words.format(**told)

    def _looked_at(self, what: str) -> str:
        names = {
            "files": self.tr("the session files"),
            "proof": self.tr("sessions read once more"),
            "keyring": self.tr("the keyring"),
            "agents": self.tr("the configs of agents"),
            "leftovers": self.tr("our own folders"),
            "log": self.tr("the log"),
            "backups": self.tr("the backups of memory"),
            "service": self.tr("the socket"),
            "tray": self.tr("the tray"),
        }
        return names.get(what, what)

    def _of_folders(self, finding: Finding, number: int, given: dict[str, str]) -> Said | None:
        path, size = shorten(given.get("path", "")), given.get("bytes", "")
        amount = i18n.byte_size(int(size)) if size.isdigit() else ""
        listed = given.get("listed", path)
        texts = {
            "leftover_files": (
                self.tr("%Ln files of writings that never ended", "", number),
                self.tr("{size}, which nothing needs: {files}").format(size=amount, files=listed),
            ),
            "set_aside_kept": (
                self.tr("%Ln damaged files are kept aside", "", number),
                self.tr("{size}. When you miss nothing, they can be deleted: {files}").format(size=amount, files=listed),
            ),
            "folder_open": (
                self.tr("A folder of ours belongs to another user")
                if given.get("foreign")
                else self.tr("Other users of this machine can look into a folder of ours"),
                path,
            ),
        }  # fmt: skip
        return texts.get(finding.code)

    def _of_backups(self, finding: Finding, number: int, given: dict[str, str]) -> Said | None:
        path, size = shorten(given.get("path", "")), given.get("bytes", "")
        amount = i18n.byte_size(int(size)) if size.isdigit() else ""
        texts = {
            "backup_unreadable": (
                self.tr("A backup of memory cannot be opened"),
                self.tr("{path}. To make another one: {command}").format(path=path, command="backscroll backup"),
            ),
            "backups_many": (
                self.tr("%Ln backups of memory were made by hand", "", number),
                self.tr("They take {size} in {path}, and are never removed by themselves.").format(size=amount, path=path),
            ),
            "backups_open": (
                self.tr("Memory is backed up"),
                self.tr("%Ln backups can be opened.", "", number),
            ),
            "orphan_projects": (
                self.tr("The folder of %Ln projects is gone", "", number),
                self.tr("{projects}. What is known of them is kept. If they were moved: {command}").format(
                    projects=given.get("projects", ""), command=MOVED_COMMAND
                ),
            ),
            "memories_without_vectors": (
                self.tr("%Ln memories cannot be found by meaning yet", "", number),
                self.tr("Words find them. They are worked through in the background, where that is on."),
            ),
        }  # fmt: skip
        return texts.get(finding.code)

    def _of_keys(self, finding: Finding, number: int, given: dict[str, str]) -> Said | None:
        host = given.get("host", "")
        use = (
            self.tr("The key for {host} cannot be kept.").format(host=host)
            if host
            else self.tr("No service that needs a key from it is in use.")
        )
        texts = {
            "keyring_works": (
                self.tr("The system's keyring is there"),
                self.tr("Keys of services are kept in it, and nowhere else."),
            ),
            "keyring_none": (self.tr("This system has no keyring"), use),
            "keyring_plain": (self.tr("The keyring that is set up keeps keys in a file that can be read"), use),
            "keyring_silent": (self.tr("The keyring gives no answer"), use),
            "keyring_refused": (self.tr("The keyring is locked, or refuses"), use),
        }
        return texts.get(finding.code)

    def _of_others(self, finding: Finding, number: int, given: dict[str, str]) -> Said | None:
        """The tray, the key, the socket, agents."""
        path, place, agent = shorten(given.get("path", "")), shorten(given.get("place", "")), given.get("agent", "")
        command = given.get("command", "")
        system = f"Qt {given.get('qt', '')} · {given.get('platform', '')}"
        key = HotkeyTexts().sentence(state_of(finding)) if finding.code.startswith("hotkey_") else ""
        texts = {
            "no_tray": (
                self.tr("The tray is not running"),
                self.tr("New sessions are read when a command or an agent asks; the hotkey does nothing."),
            ),
            "tray_there": (self.tr("The icon is in the tray"), system),
            "tray_missing": (
                self.tr("This desktop shows no tray"),
                self.tr("All else works. On GNOME, install the extension AppIndicator; the window opens by the key."),
            ),
            "hotkey_active": (self.tr("{key} opens the search").format(key=given.get("key", "")), key),
            "hotkey_refused": (self.tr("{key} could not be had").format(key=given.get("wanted", "")), key),
            "hotkey_none": (self.tr("No key opens the search"), key),
            "owner_answers": (
                self.tr("One process owns the files, and answers the others"),
                self.tr("Process {pid}, at {path}").format(pid=given.get("pid", ""), path=path),
            ),
            "owner_unreachable": (
                self.tr("Other programs cannot reach this one"),
                self.tr("{reason} Quit Backscroll and start it again.").format(reason=given.get("reason", finding.detail)),
            ),
            "socket_exposed": (self.tr("Other users of this machine can see the owner's socket or note"), path),
            "entries_lead_here": (
                self.tr("Entries in {names}").format(names=given.get("names", "")),
                self.tr("They lead to this program."),
            ),
            "entry_broken": (
                self.tr("{agent} starts a Backscroll that is no longer there").format(agent=agent),
                self.tr("{place} names {path}. To have it start this one: {command}").format(
                    place=place, path=path, command=command
                ),
            ),
            "entry_differs": (
                self.tr("The entry in {agent} is not what this program would write").format(agent=agent),
                self.tr("{place} names another installation, or was made by an earlier version.").format(place=place),
            ),
            "entry_unread": (
                self.tr("The config of {agent} cannot be checked").format(agent=agent),
                given.get("reason", finding.detail),
            ),
        }  # fmt: skip
        return texts.get(finding.code)


MOVED_COMMAND = "backscroll config set projects.moved OLD=NEW"
MCP_COMMAND = "pip install 'mcp>=2.3,<3'"
