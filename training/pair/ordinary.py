"""
Everyday steps that no warning of a team is about, beside warnings of every sort: harmless pairs in the forms that agents use.

    python ordinary.py OUT.jsonl HELD[,HELD...] [written.jsonl ...]

Beside them each warning with its own text, which falls under it. Every line is {"flag", "plan", "label", "kind"}.
"""

import json
import random
import sys
from pathlib import Path

from model import read_lines
from paths import JUDGE

STEPS = """
Merge branch 'main' into feature/invoice-filters
Merge branch 'develop' of git.example:shop/web into develop
Merge branch 'master' into kim/retry-limits
Merge remote-tracking branch 'origin/main' into fix/date-picker
Merge pull request #2231 from acme/sort-by-price
Merge tag 'v2.4.1' into main
Merge branch 'release/3.8' into main
Bump version to 2.7.0
Release 4.12.3
Prepare the next development iteration
Update CHANGELOG for 1.9
Fix typo in README
Fix typos in the installation guide
Fix flaky test of the upload form
Fix off-by-one in pagination
Fix lint warnings
Fix wrong currency symbol in the receipt
Fix crash when the list is empty
Add missing type annotations
Add tests for the parser
Add a test for leap years
Add dark mode to the settings page
Add screenshots to the docs
Add .editorconfig
Add keyboard navigation to the menu
Remove unused imports
Remove dead code in the router
Remove trailing whitespace
Rename userId to accountId in the view model
Refactor the date helpers
Extract a function from the export dialog
Simplify the condition in isVisible
Move constants into a file of their own
Split the long component in two
Improve wording of the error message
Improve performance of the search box
Reword the tooltip of the save button
Format with prettier
Sort imports
Upgrade eslint to 9.2
Bump actions/checkout from 3 to 4
chore(deps): bump lodash from 4.17.20 to 4.17.21
docs: explain how to run the tests
docs(api): correct the example of pagination
test: cover the empty basket
feat(search): highlight the matching words
fix(ui): align the buttons in the footer
style: indent with two spaces
ci: cache the node modules
refactor: use async functions in the mailer
wip
WIP: new onboarding
Initial commit
address review comments
small cleanup
Use const instead of let
Update snapshot of the header
Update the copyright year
Handle null in the price formatter
Show the number of results above the list
Translate the settings page to Norwegian
Make the sidebar collapsible
Speed up the test suite by running files in parallel
Return early when there is nothing to do
Log in with the new form in the e2e test
answer Jonas's question about the layout
three more days of work on the import dialog
one more week for the new landing page
run the linter before committing
run the unit tests before opening the pull request
read the issue again and reply to Mehmet
write a summary of today's meeting
look at the logs of the failing build
open a pull request for the typo fix
rebase my feature branch on main
create a branch for the settings page
git checkout -b feat/avatar-upload
git status
git diff HEAD~1
git pull --rebase
git add src/views && git commit -m "Add empty state to the list"
npm test
npm run build
pytest -q tests/test_prices.py
cargo test --workspace
{"tool":"read_file","path":"src/index.ts"}
{"tool":"grep","pattern":"TODO","path":"src"}
src/components/Button.tsx
take the dog for a walk before dinner
buy milk and bread on the way home
call the dentist for an appointment
reply to Anna about the weekend
""".strip().splitlines()


def main() -> None:
    held = sys.argv[2].split(",")
    paths = [p for p in sorted(JUDGE.glob("*.jsonl")) if p.stem not in held] + [Path(p) for p in sys.argv[3:]]
    flags = sorted({one["flag"] for path in paths for one in read_lines(path)})
    of_git = [flag for flag in flags if any(word in flag.lower() for word in ("git ", "push", "commit", "merge", "branch", "release", "deploy", "test"))]
    chance = random.Random(3)
    out = []
    for step in STEPS:
        some = chance.sample(of_git, 5) + chance.sample(flags, 3)
        out += [{"flag": flag, "plan": step, "label": 0, "kind": "ordinary"} for flag in some]
    out += [{"flag": flag, "plan": flag, "label": 1, "kind": "itself"} for flag in chance.sample(flags, 250)]
    Path(sys.argv[1]).write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in out))
    print(len(out))


if __name__ == "__main__":
    main()
