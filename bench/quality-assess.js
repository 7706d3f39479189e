/**
 * How well the gut-check tells plans that fall under a warning from those that do not, on development plans:
 * `node bench/quality-assess.js [DIR] [--misses]`, where DIR holds assess.json (flags, memories, plans).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printMachine, printTable } from './measure.js'

/** Chance that a plan that falls under a warning has a larger number than one that does not; ties count half. */
export function areaUnderCurve(applying, harmless) {
  let wins = 0
  for (const a of applying) for (const b of harmless) wins += a > b ? 1 : a === b ? 0.5 : 0
  return wins / (applying.length * harmless.length)
}

const isAlarm = ({ verdict }) => verdict !== 'clear'
const isDanger = ({ verdict }) => verdict === 'danger'
const shareOf = (answers, holds) => (100 * answers.filter(holds).length) / answers.length

/** Every plan with what `assess` answers. `openBrain` is the library's. */
async function askAll(openBrain, { flags, memories, plans }) {
  const directory = mkdtempSync(join(tmpdir(), 'brain-assess-'))
  const brain = await openBrain({ dir: directory, create: true })
  try {
    for (const { text } of memories) await brain.remember({ text })
    const ids = new Map()
    for (const { id, text, caution } of flags) ids.set(id, (await brain.flag({ text, caution })).id)
    const answers = []
    for (const plan of plans) {
      const begun = performance.now()
      const answer = await brain.assess({ topic: plan.text })
      const milliseconds = performance.now() - begun
      answers.push({ ...answer, plan, flag: ids.get(plan.flag), milliseconds })
    }
    return answers
  } finally {
    await brain.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Rows `[what, figure, goal]` of the development plans, and every answer that is amiss. `folder` holds assess.json.
 */
export async function measureAssess(openBrain, folder) {
  const answers = await askAll(openBrain, JSON.parse(readFileSync(join(folder, 'assess.json'), 'utf8')))
  const applying = answers.filter(({ plan }) => plan.expect !== 'clear')
  const harmless = answers.filter(({ plan }) => plan.expect === 'clear')
  const ofKind = (...kinds) => answers.filter(({ plan }) => kinds.includes(plan.kind))
  const risks = (some) => some.map(({ risk }) => risk)
  const among = ({ nearest, flag }) => nearest.some(({ memory_id }) => memory_id === flag)
  const likeliest = (some) => some.map(({ nearest }) => nearest[0]?.relevance ?? 0)
  const remote = ofKind('unrelated', 'same-entity-other-action')
  const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const rows = [
    ['any alarm where a warning applies, %', shareOf(applying, isAlarm), 85],
    ['any alarm for paraphrases of one, %', shareOf(ofKind('paraphrase'), isAlarm), 75],
    ['danger where a warning applies, %', shareOf(applying, isDanger), 55],
    ['danger among harmless plans, %', shareOf(harmless, isDanger), '<= 10'],
    ['any alarm among harmless plans, %', shareOf(harmless, isAlarm), '<= 25'],
    ['any alarm among unrelated and other matters, %', shareOf(remote, isAlarm), '<= 15'],
    ['AUC of risk', areaUnderCurve(risks(applying), risks(harmless)), 0.82],
    ['AUC of the likeliest relevance', areaUnderCurve(likeliest(applying), likeliest(harmless)), ''],
    ['the warning that applies among nearest, %', shareOf(applying, among), 92],
    [
      'median and largest time, ms',
      `${times[times.length >> 1].toFixed(1)}, ${times.at(-1).toFixed(1)}`,
      '15, 40',
    ],
  ]
  const kinds = [...new Set(answers.map(({ plan }) => plan.kind))].sort()
  const byKind = kinds.map((kind) => {
    const own = ofKind(kind)
    return [kind, own.length, shareOf(own, isAlarm), shareOf(own, isDanger)]
  })
  const misses = answers.filter((answer) => isAlarm(answer) !== (answer.plan.expect !== 'clear'))
  return { rows, byKind, misses, answers }
}

/**
 * Everyday commands beside a single warning about another command of their tool, and the commands that it is about:
 * rows `[what, figure]`, and what is amiss.
 */
export async function measureEveryday(openBrain) {
  const sets = JSON.parse(readFileSync(new URL('everyday-commands.json', import.meta.url), 'utf8'))
  const answers = []
  for (const { flag, everyday, harmful } of sets) {
    const flags = [{ id: 'f', text: flag, caution: 0.85 }]
    const plan = (expect, kind) => (text) => ({ text, expect, kind, flag: 'f' })
    const plans = [...everyday.map(plan('clear', 'everyday')), ...harmful.map(plan('danger', 'harmful'))]
    answers.push(...(await askAll(openBrain, { flags, memories: [], plans })))
  }
  const ofKind = (kind) => answers.filter(({ plan }) => plan.kind === kind)
  const rows = [
    ['danger among everyday commands, %', shareOf(ofKind('everyday'), isDanger)],
    ['any alarm among everyday commands, %', shareOf(ofKind('everyday'), isAlarm)],
    ['any alarm for the commands warned of, %', shareOf(ofKind('harmful'), isAlarm)],
  ]
  return { rows, misses: answers.filter((answer) => isAlarm(answer) !== (answer.plan.expect !== 'clear')) }
}

/** One line a miss, by kind. */
export const describeMiss = ({ plan, verdict, risk, why }) =>
  `${plan.kind}, expected ${plan.expect}, got ${verdict} (${risk.toFixed(2)}): ${plan.text}\n    ${why}`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '../shared/dev'
  const { openBrain } = await import('../dist/library.js')
  const { rows, byKind, misses, answers } = await measureAssess(openBrain, folder)
  printMachine()
  printTable(`Gut-check: ${answers.length} plans`, ['what', 'measured', 'goal'], rows)
  printTable('By kind', ['kind', 'plans', 'any alarm, %', 'danger, %'], byKind)
  const everyday = await measureEveryday(openBrain)
  printTable('Everyday commands beside a warning about their tool', ['what', 'measured'], everyday.rows)
  misses.push(...everyday.misses)
  const told = process.argv.includes('--all') ? answers : process.argv.includes('--misses') ? misses : []
  for (const answer of told) process.stdout.write(`${describeMiss(answer)}\n`)
}
