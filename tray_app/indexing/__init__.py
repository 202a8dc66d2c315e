"""From session files to the library: what to read next, budgets, quarantine, copies, watching."""
