/** `brain status`, and `brain` alone: what it holds, what is due, what to do next. */

import type { Command } from 'commander'
import type { Brain, Caller } from '../../brain.ts'
import { type BrainPlace, findDaemon } from '../../config/daemon-note.ts'
import { counted } from '../../core/counts.ts'
import { overdueAt } from '../../core/predictions.ts'
import { type FreeSpace, freeSpace, isScarce, tellScarce } from '../free-space.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

interface Status {
  /** The `.brain` directory. */
  readonly directory: string
  /** The database that holds the brain; absent where the directory does. */
  readonly store?: string
  readonly project: string
  readonly memories: number
  /** Of the memories. */
  readonly flags: number
  readonly beliefs: number
  readonly open_predictions: number
  /** Past their due date, or without one open for more than 30 days. */
  readonly overdue_predictions: number
  readonly unread_dreams: number
  /** Memories without a vector. */
  readonly embedding_backlog: number
  /** The room on its disk, where that is too little for a backup or for writing it anew. */
  readonly free_space?: FreeSpace
  /** The daemon that serves this brain now; null where none does. */
  readonly daemon: { readonly url: string; readonly pid: number; readonly version: string } | null
}

function daemonOf(place: BrainPlace): Status['daemon'] {
  const daemon = findDaemon(place)
  return daemon === undefined ? null : { url: daemon.url, pid: daemon.pid, version: daemon.version }
}

async function statusOf(
  { directory, store, config }: Brain,
  { project }: Caller,
  place: BrainPlace,
): Promise<Status> {
  const [held, overdue, unread, backlog] = await Promise.all([
    store.projects.count(project),
    store.predictions.listOverdue(project, { ...overdueAt(Date.now()), limit: 5 }),
    store.dreams.countUnread(project),
    store.index.backlog(project),
  ])
  const database = config['store.url']
  const space = database === null ? freeSpace(directory) : undefined
  return {
    directory,
    ...(database !== null && { store: database }),
    project,
    memories: held.memories,
    flags: held.flags,
    beliefs: held.beliefs,
    open_predictions: held.openPredictions,
    overdue_predictions: overdue.total,
    unread_dreams: unread,
    embedding_backlog: backlog,
    ...(space !== undefined && isScarce(space) && { free_space: space }),
    daemon: daemonOf(place),
  }
}

function renderStatus(status: Status, style: Style): string {
  const { memories, flags, beliefs, open_predictions, overdue_predictions, unread_dreams } = status
  const held = [
    `${counted(memories, 'memory', 'memories')}${flags > 0 ? ` (${counted(flags, 'flag')})` : ''}`,
    counted(beliefs, 'belief'),
    counted(open_predictions, 'open prediction'),
  ]
  const due: [count: number, told: string, command: string][] = [
    [
      overdue_predictions,
      `${counted(overdue_predictions, 'overdue prediction')}`,
      'brain predictions --overdue',
    ],
    [unread_dreams, `${counted(unread_dreams, 'unread dream')}`, 'brain dreams'],
    [
      status.embedding_backlog,
      `${counted(status.embedding_backlog, 'memory', 'memories')} without a vector`,
      'brain reindex',
    ],
  ]
  const next =
    memories === 0 ? ['brain remember "…"', 'brain demo'] : ['brain recall "…"', 'brain remember "…"']
  return [
    `${style.bold(visible(status.project))}: ${held.join(', ')}  ${style.dim(visible(status.store ?? status.directory))}`,
    ...(status.daemon === null
      ? []
      : [
          `  served at ${style.cyan(status.daemon.url)} (process ${status.daemon.pid}): ${style.cyan('brain stop')}`,
        ]),
    ...due.flatMap(([count, told, command]) => (count > 0 ? [`  ${told}: ${style.cyan(command)}`] : [])),
    ...(status.free_space === undefined ? [] : [style.yellow(`  ${tellScarce(status.free_space)}`)]),
    style.dim(`next: ${[...next, 'brain --help'].join('   ')}`),
  ].join('\n')
}

export function configureStatus(command: Command, open: () => Session): void {
  command.action(async () => {
    const session = open()
    const status = await session.withBrain('status', (brain, caller) =>
      statusOf(brain, caller, session.place),
    )
    await session.print(status, () => renderStatus(status, session.style))
  })
}
