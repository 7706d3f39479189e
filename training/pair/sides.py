"""
Which side a plan is on, where words alone say nothing of it: harmless commands beside written warnings about their tool, what a warning forbids asked
about, written about or left to another, and duties done or left undone.

    python sides.py OUT.jsonl HELD[,HELD...] [written.jsonl ...]

Every line is {"flag", "plan", "label", "kind"}.
"""

import json
import random
import re
import sys
from pathlib import Path

from commands import ing
from model import read_lines
from paths import JUDGE
from recombine import is_command, lower
from tools import MESSAGES

PEOPLE = ["Marek", "the team lead", "Oluchi", "Priya", "the on-call", "support", "legal", "my brother"]
# What only talks or thinks about a step.
TALK = [
    "ask {p} about {g}", "Ask {p} why we stopped {g}", "write to {p} what we decided about {g}", "read the thread on {g}", "Put {g} on Thursday's agenda", "open an issue about {g}",
    "Explain to {p} what came of {g}", "Look up who had the idea of {g}", "find out whether anybody is {g}", "docs: say why nobody may {l}", "Remind {p} not to {l}", "summarise the discussion of {g} for {p}",
    "git commit -m \"docs: the trouble with {g}\"", "Search the chat for {g}", "I'd like to hear from {p} before {g}", "Add a warning to the handbook for whoever wants to {l}",
]  # fmt: skip
# What has another do it is doing it.
LEAVE = ["have {p} {l}", "Let the bot {l}", "Ask {p} to {l} today", "Tell the agent to {l}", "{p} is away, so I'll {l} instead", "Make the nightly job {l}"]
# Of each tool: how a warning names it, commands that change nothing of what warnings are about.
HARMLESS = {
    r"\b(git|push|force-push|rebase|branch|merge)\b": [
        "git add -A && git commit -m \"{m}\"", "git commit -m '{m}'", "git commit -am \"{m}\"", "git add src/ tests/", "git status", "git diff", "git log --oneline -20", "git fetch --all --prune", "git switch -c fix/totals",
        "git stash list", "git show HEAD~1", "git blame src/app.py", "git branch -a", "git pull --ff-only", "git push -u origin fix/totals", "gh pr create --fill", "gh pr view 212",
    ],
    r"\b(docker|container|image|compose)\b": ["docker ps", "docker logs --tail 100 web", "docker images", "docker build -t web:dev .", "docker inspect web", "docker compose ps", "docker stats --no-stream"],
    r"\b(kubectl|kubernetes|pods?|cluster|namespace)\b": ["kubectl get pods -A", "kubectl describe node n-3", "kubectl logs deploy/web --tail=50", "kubectl get deploy -o wide", "kubectl diff -f web.yaml", "kubectl top pods"],
    r"\b(npm|package|dependenc\w+|lockfile)\b": ["npm test", "npm run lint", "npm ls", "npm outdated", "npm ci", "npm view left-pad versions"],
    r"\b(table|column|index|postgres\w*|sql|migration|database)\b": ["psql -c '\\dt'", "SELECT count(*) FROM orders;", "EXPLAIN ANALYZE SELECT * FROM carts WHERE id = 9;", "psql -l", "pg_dump --schema-only shop > schema.sql"],
    r"\b(terraform|infrastructure|security groups?)\b": ["terraform plan", "terraform validate", "terraform fmt -check", "terraform state list"],
    r"\b(redis|cache)\b": ["redis-cli INFO", "redis-cli TTL cart:7", "redis-cli PING"],
    r"\b(s3|bucket|aws)\b": ["aws s3 ls", "aws sts get-caller-identity", "aws logs tail /ecs/api"],
    r"\b(deploy\w*|release|production|prod)\b": ["npm run build", "pytest -q", "make test", "git log v2.1..HEAD --oneline", "curl -sI https://status.example", "df -h", "ls -la build"],
}  # fmt: skip
# What is asked for, in words for it done and for it not done; a number of days is drawn on the right side of the one that the rule names.
DUTIES = [
    ("Feature flags older than {n} days have to go", ["remove the feature flag {x}, it is {over} days old", "Delete the flag {x}: {over} days at full rollout", "git commit -m \"remove feature flag {x} ({over} days old)\""],
     ["Leave the feature flag {x} in, though it has been there {over} days", "keep {x} behind its flag for another year"]),
    ("Take a feature flag out only after {n} days without an incident", ["Take out the flag {x} after {over} quiet days"], ["remove the flag {x} on its {under}th day", "Take out the flag {x}, {under} days are enough"]),
    ("Backups older than {n} days have to be deleted; the regulator asked", ["delete the backups from {over} days ago"], ["Keep the {over} day old dumps, who knows", "raise the retention of backups to {over} days"]),
    ("Delete nothing from the archive before it is {n} days old", ["Delete what lies in the archive since {over} days", "archive-clean --older-than {over}d"], ["Clear the archive of everything older than {under} days", "archive-clean --older-than {under}d"]),
    ("Run the migration on a copy first", ["Run the migration on last night's copy", "Copy production, then try the migration there"], ["Run the migration straight away, no copy", "Skip the copy and migrate"]),
    ("Ask {q} before touching the {x} config", ["Ask {q} whether the {x} config may change", "I have {q}'s yes, now I change the {x} config"], ["Change the {x} config and tell {q} afterwards", "edit config/{x}.yaml, {q} is on holiday"]),
    ("Pull requests need two approvals", ["Wait for the second approval of the {x} PR", "request a review of the {x} PR from {q} and Ana"], ["Merge the {x} PR with one approval", "gh pr merge --admin"]),
    ("Rotate the {x} keys every {n} days", ["rotate the {x} keys, they are {over} days old"], ["Put off rotating the {x} keys until next year", "set the {x} keys to never expire"]),
    ("Uploads above {n} MB have to be refused", ["Refuse the {over} MB upload with a 413"], ["Accept uploads of up to {over} MB", "client_max_body_size {over}m;"]),
    ("A dose is never taken within {n} hours of the last one", ["Take the next dose {over} hours after the last"], ["Take another dose, it's been {under} hours"]),
    ("Write a changelog line for every change a user sees", ["Add the changelog line for the new {x} page"], ["Ship the {x} page, the changelog can wait", "leave the changelog as it is, the {x} button is obvious"]),
    ("Upgrade {x} one major version at a time", ["Upgrade {x} from 3 to 4, run the tests, then from 4 to 5", "Ask {q} about upgrading {x}", "read the {x} 5 migration guide"], ["Upgrade {x} from 2 straight to 5", "npm install {x}@latest"]),
    ("Push to main by merge request only", ["git add -A && git commit -m \"{m}\"", "git push -u origin fix/{x}", "git commit -am '{m}'", "glab mr create --fill", "git checkout -b {x}"], ["git push origin main", "git push origin HEAD:main", "git checkout main && git commit -am '{m}' && git push"]),
    ("Never push straight to {b}", ["git add -A && git commit -m \"{m}\"", "git commit -m '{m}'", "git push origin fix/{x}", "git status && git add .", "git fetch && git rebase origin/{b}"], ["git push origin {b}", "git commit -am \"{m}\" && git push origin {b}", "push the fix right onto {b}"]),
]  # fmt: skip
REASONS = ["", ".", "; we were caught out in April.", ": the last time cost us a weekend.", ", says {q}.", ". Somebody forgot in May and {q} had to clean up."]
NAMES = ["checkout", "search", "billing", "beta-header", "react", "django", "import", "quotes", "mail", "login"]


def say(form: str, plan: str, chance: random.Random) -> str:
    return form.replace("{g}", ing(lower(plan))).replace("{l}", lower(plan)).replace("{p}", chance.choice(PEOPLE))


def main() -> None:
    held = sys.argv[2].split(",")
    paths = [p for p in sorted(JUDGE.glob("*.jsonl")) if p.stem not in held] + [Path(p) for p in sys.argv[3:]]
    chance = random.Random(11)
    lines = [one for path in paths for one in read_lines(path)]
    flags = list(dict.fromkeys(one["flag"] for one in lines))
    out = []

    def add(flag: str, plan: str, label: int, kind: str) -> None:
        out.append({"flag": flag, "plan": plan.replace("{m}", chance.choice(MESSAGES)), "label": label, "kind": kind})

    for pattern, commands in HARMLESS.items():
        named = [flag for flag in flags if re.search(pattern, flag, re.IGNORECASE)]
        for flag in chance.sample(named, min(90, len(named))):
            # A commit may be just what a warning on messages, secrets or generated files is about.
            fit = [c for c in commands if not ("commit" in c or " add " in c) or not re.search(r"commit|secret|message|key|password|generated|sign", flag, re.IGNORECASE)]
            for command in chance.sample(fit, 2):
                add(flag, command, 0, "ordinary")
    own = [one for one in lines if one["kind"] in ("same", "paraphrase") and not is_command(one["plan"]) and len(one["plan"].split()) < 14 and re.match(r"[A-Za-z]+ ", one["plan"]) and "I" not in one["plan"].split()]
    for one in chance.sample(own, 500):
        add(one["flag"], say(chance.choice(TALK), one["plan"], chance), 0, "talk")
    for one in chance.sample(own, 150):
        add(one["flag"], say(chance.choice(LEAVE), one["plan"], chance), 1, "left")
    for rule, done, undone in DUTIES:
        for _ in range(8):
            n = chance.choice([7, 14, 30, 60, 90])
            words = {"{n}": str(n), "{q}": chance.choice(["Marek", "Ines", "Tom"]), "{x}": chance.choice(NAMES), "{b}": chance.choice(["main", "master", "develop"])}

            def fill(text: str) -> str:
                for hole, word in {**words, "{over}": str(n + chance.randrange(1, 2 * n)), "{under}": str(chance.randrange(1, n))}.items():
                    text = text.replace(hole, word)
                return text

            flag = fill(rule + chance.choice(REASONS))
            for plans, label in ((done, 0), (undone, 1)):
                for plan in chance.sample(plans, min(2, len(plans))):
                    add(flag, fill(plan), label, "duty")
    chance.shuffle(out)
    Path(sys.argv[1]).write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in out))
    print(len(out), sum(one["label"] for one in out))


if __name__ == "__main__":
    main()
