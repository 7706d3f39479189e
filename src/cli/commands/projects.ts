/** `brain projects`: what this brain's projects hold. No operation: a key opens one project, and learns of no other. */
import type { Command } from 'commander'
import type { Brain } from '../../brain.ts'
import { count } from '../../core/counts.ts'
import { alignColumns } from '../render/layout.ts'
import { sizeOf } from '../render/output.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

interface Project {
  readonly name: string
  /** Flags are among them. */
  readonly memories: number
  readonly flags: number
  readonly beliefs: number
  readonly open_predictions: number
  readonly resolved_predictions: number
  readonly dreams: number
  readonly observations: number
  /** Of all its texts. */
  readonly bytes: number
}

async function listProjects({ store }: Brain): Promise<Project[]> {
  const [counts, sizes] = await Promise.all([store.projects.list(), store.projects.measure()])
  const bytes = new Map(sizes.map(({ name, bytes }) => [name, bytes]))
  return counts.map(({ openPredictions, resolvedPredictions, ...counted }) => ({
    name: counted.name,
    memories: counted.memories,
    flags: counted.flags,
    beliefs: counted.beliefs,
    open_predictions: openPredictions,
    resolved_predictions: resolvedPredictions,
    dreams: counted.dreams,
    observations: counted.observations,
    bytes: bytes.get(counted.name) ?? 0,
  }))
}

function renderProjects(projects: readonly Project[], current: string, style: Style): string {
  if (projects.length === 0) return style.dim('no projects: nothing is kept here yet')
  const head = ['project', 'memories', 'flags', 'beliefs', 'predictions', 'dreams', 'views', 'text']
  const rows = projects.map((project) => [
    `${visible(project.name)}${project.name === current ? ' *' : ''}`,
    ...[
      project.memories,
      project.flags,
      project.beliefs,
      project.open_predictions + project.resolved_predictions,
      project.dreams,
      project.observations,
    ].map(count),
    sizeOf(project.bytes),
  ])
  const [heading = '', ...lines] = alignColumns([head, ...rows], { right: [1, 2, 3, 4, 5, 6, 7] })
  return [style.dim(heading), ...lines].join('\n')
}

export function configureProjects(command: Command, open: () => Session): void {
  command.action(async () => {
    const session = open()
    const { projects, current } = await session.withBrain('projects', async (brain, { project }) => ({
      projects: await listProjects(brain),
      current: project,
    }))
    await session.print({ projects }, () => renderProjects(projects, current, session.style))
  })
}
