/** What a measurement works with. */
import type { Deps } from '../src/kernel/context.ts'
import type { HistoryProject } from './history_project.ts'
import type { RunningIngot } from './ingot.ts'
import type { ProvisionedGroup } from './scim_group.ts'
import type { World } from './world.ts'

export interface Bench {
  readonly ingot: RunningIngot
  /** The same instance opened in this process, to take requests apart and to find repositories. */
  readonly deps: Deps
  readonly world: World
  /** A directory that goes away with the bench. */
  readonly scratch: string
  /** Of load for each sample. */
  readonly seconds: number
  /** Samples of target and of floor. */
  readonly rounds: number
  /** The project with the long history, made when it is first asked for. */
  history(): Promise<HistoryProject>
  /** The group with many provisioned members, made when it is first asked for. */
  provisioned(): Promise<ProvisionedGroup>
}
