/**
 * What people are told about commands beyond their one-line summaries: how commands belong together, examples,
 * and what each member and argument means. Help, the manual page and the reference pages read it.
 */

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly string[]
}

/** In the order in which help lists them. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Start:', commands: ['init', 'demo'] },
  { title: 'Memories:', commands: ['remember', 'recall', 'forget'] },
  { title: 'Beliefs:', commands: ['believe', 'evidence', 'evidence-for', 'beliefs', 'revise'] },
  { title: 'Predictions:', commands: ['predict', 'resolve', 'predictions', 'calibration'] },
  { title: 'Instinct:', commands: ['flag', 'assess', 'state'] },
  { title: 'Dreams:', commands: ['dreams', 'dream'] },
  { title: 'Agents:', commands: ['note-about', 'outside-views'] },
  { title: 'Serve:', commands: ['serve', 'mcp', 'key'] },
  { title: 'Move and keep:', commands: ['export', 'import', 'backup', 'doctor', 'reindex'] },
  { title: 'Set up:', commands: ['config', 'trust', 'model', 'completion'] },
]

/** What a member means, wherever it is an argument or an option. */
export const memberHelp: Readonly<Record<string, string>> = {
  text: 'the text; - reads it from standard input',
  query: 'what to look for, in your own words; - reads it from standard input',
  limit: 'how many at most',
  memory_id: 'id of the memory',
  confidence: 'how sure you are',
  belief_id: 'id of the belief',
  new_text: 'the text that replaces it; - reads it from standard input',
  kind: 'what sort it is',
  strength: 'how much the observation tells: P(seen | true) - P(seen | false)',
  note: 'what was observed',
  status: 'only beliefs of this status',
  prediction: 'what will happen; - reads it from standard input',
  domain: 'the field whose track record it counts in',
  basis: 'why you expect it',
  prediction_id: 'id of the prediction',
  outcome: 'how it came out',
  actual: 'what really happened',
  surprise: 'how surprising that was; derived from the confidence when left out',
  since_days: 'only what was resolved in the last so many days',
  caution: 'how much care it asks for',
  topic: 'what you are about to do; - reads it from standard input',
  subject_agent: 'the agent that was observed',
  observation: 'what was observed; - reads it from standard input',
}

/** Command lines that show each command at work. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  init: ['brain init', 'brain init --yes --dir ~/notes', 'brain init --yes --embedder none'],
  remember: [
    'brain remember "Deploys go through the staging cluster first"',
    'git log -1 | brain remember -',
  ],
  recall: ['brain recall "how do we deploy?"', 'brain recall deploys --limit 3 --json | jq .results[0].text'],
  forget: ['brain forget 12'],
  believe: ['brain believe "The cache is the bottleneck" --confidence 0.6'],
  evidence: [
    'brain evidence 3 --supporting --strength 0.6 --note "p95 fell after warming it"',
    'brain evidence 3 --refuting --strength 0.3',
  ],
  'evidence-for': ['brain evidence-for 3'],
  beliefs: ['brain beliefs --status promoted'],
  revise: ['brain revise 3 "The database is the bottleneck" --confidence 0.7'],
  predict: ['brain predict "The migration takes under an hour" --domain infra --confidence 0.8'],
  resolve: ['brain resolve 7 correct --actual "It took 40 minutes"'],
  predictions: ['brain predictions --limit 5'],
  calibration: ['brain calibration --since-days 90'],
  flag: ['brain flag "Dropping the users table takes the site down" --caution 0.9'],
  assess: ['brain assess "drop the users table"', 'brain assess "rotate the keys" --exit-code || exit'],
  state: ['brain state'],
  dreams: ['brain dreams --limit 3'],
  dream: ['brain dream'],
  'note-about': ['brain note-about planner "Estimates run a third too low" --kind pattern'],
  'outside-views': ['brain outside-views planner', 'brain outside-views --limit 5'],
  serve: ['brain serve', 'brain serve --port 0 --json'],
  mcp: ['brain mcp', 'brain mcp --project web --agent reviewer'],
  key: ['brain key create --label laptop --expires-in 90d', 'brain key list', 'brain key revoke 4f7Kq2Zx'],
  demo: ['brain demo'],
  export: ['brain export --output brain.jsonl', 'brain export --all | gzip > brain.jsonl.gz'],
  import: ['brain import brain.jsonl', 'ls notes/*.md | xargs cat | brain import - --format text'],
  backup: ['brain backup ~/backups/brain-2026-01-31.db'],
  doctor: ['brain doctor', 'brain doctor --fix'],
  reindex: ['brain reindex'],
  config: [
    'brain config list',
    'brain config get embedder',
    'brain config set sprt.alpha 0.01',
    'brain config set agent laptop --user',
  ],
  trust: ['brain trust', 'brain trust ~/src/some-clone'],
  model: ['brain model list', 'brain model use fastembed:bge-small-en-v1.5', 'brain model use builtin'],
  completion: [
    'source <(brain completion bash)',
    'brain completion zsh > ~/.zfunc/_brain',
    'brain completion fish > ~/.config/fish/completions/brain.fish',
  ],
}

/** What a shell is told. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'failure'],
  ['2', 'bad usage or invalid input'],
  ['3', 'refused: not found, already resolved, of another project'],
  ['4', 'no brain here'],
  ['5', 'the store cannot be used: locked, corrupt, of a newer version, read-only, disk full'],
  ['10, 20', 'assess --exit-code: caution, danger'],
  ['130', 'interrupted by Ctrl-C; nothing is left half-written'],
]
