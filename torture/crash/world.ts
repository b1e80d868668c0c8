/** What the writers of a crash write to: two projects, runners, and what they remember of acknowledgements. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chance } from '../chance.ts'
import type { Victim } from '../victim.ts'
import type { Ledger } from './ledger.ts'

export interface Project {
  readonly id: number
  readonly path_with_namespace: string
  readonly runners_token: string
}

export interface World {
  readonly victim: Victim
  readonly ledger: Ledger
  readonly chance: Chance
  readonly projects: readonly Project[]
  readonly runners: readonly string[]
  /** A clone of the first project. */
  readonly clone: string
  /** Jobs that were handed out: never again. */
  readonly handed: Set<number>
  /** Jobs that were handed out a second time. */
  readonly handedTwice: number[]
  /** A number that nobody else has. */
  next(): number
}

/** One turn of writing; rejects where the server ends meanwhile. */
export type Writer = (world: World) => Promise<void>

const CI_FILE = Array.from({ length: 6 }, (_, n) => `job-${n}:\n  script: [do it]\n`).join('')

/** Makes it on an empty server. */
export async function makeWorld(victim: Victim, ledger: Ledger, chance: Chance): Promise<World> {
  const projects: Project[] = []
  for (const name of ['One', 'Two']) projects.push(await victim.make<Project>('/projects', { name, initialize_with_readme: true }))
  const [first] = projects as [Project]
  for (const name of ['oak', 'elm']) await victim.make(`/projects/${first.id}/labels`, { name, color: '#112233' })
  const actions = [
    { action: 'create', file_path: '.gitlab-ci.yml', content: `workflow: {rules: [{if: $CI_PIPELINE_SOURCE == "api"}]}\n${CI_FILE}` },
  ]
  await victim.make(`/projects/${first.id}/repository/commits`, { branch: 'main', commit_message: 'Add jobs', actions })
  const runners: string[] = []
  for (let n = 0; n < 3; n++) runners.push((await victim.make<{ token: string }>('/runners', { token: first.runners_token })).token)
  const clone = join(victim.cwd, 'clone')
  await mkdir(clone, { recursive: true })
  await victim.git(victim.cwd, 'clone', '-q', victim.remote(first.path_with_namespace), clone)
  let last = 0
  return { victim, ledger, chance, projects, runners, clone, handed: new Set(), handedTwice: [], next: () => ++last }
}
