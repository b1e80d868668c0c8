/** What a measurement works with. */
import type { ArchiveProject } from './archive_project.ts'
import type { HistoryProject } from './history_project.ts'
import type { BoardPage } from './pages/board.ts'
import type { BranchPage } from './pages/branches.ts'
import type { BuiltProject } from './pages/builds.ts'
import type { PageProject } from './pages/project.ts'
import type { ProvisionedGroup } from './scim_group.ts'
import type { Site } from './site.ts'
import type { IssueWorld } from './world/issues.ts'
import type { Proposals } from './world/proposals.ts'
import type { BenchSize } from './world/sizes.ts'

/** The server that is measured, and what more of its world is made when it is first asked for. */
export interface Bench extends Omit<Site, 'close'> {
  /** A directory that goes away with the bench. */
  readonly scratch: string
  /** The folder of the sockets by which processes are looked into. */
  readonly inside: string
  /** Where profiles are written, where they are asked for. */
  readonly profiles: string | undefined
  /** Of load for each sample. */
  readonly seconds: number
  /** Samples of target and of floor. */
  readonly rounds: number
  /** How much of everything there is. */
  readonly size: BenchSize
  /** The project with the large archive. */
  archived(): Promise<ArchiveProject>
  /** The project with the long history. */
  history(): Promise<HistoryProject>
  /** The group with many provisioned members. */
  provisioned(): Promise<ProvisionedGroup>
  /** Very many issues. */
  issues(): Promise<IssueWorld>
  /** Merge requests of many projects, in rows alone. */
  mergeRequests(): Promise<IssueWorld>
  /** A thousand merge requests in the project with the long history. */
  proposals(): Promise<Proposals>
  /** The project that browsers look at. */
  pages(): Promise<PageProject>
  /** A board of very many issues. */
  board(): Promise<BoardPage>
  /** The list of very many branches. */
  branches(): Promise<BranchPage>
  /** A project with many jobs, pipelines and a long log. */
  built(): Promise<BuiltProject>
  /** The id of a project with a hundred thousand packages. */
  packages(): Promise<number>
  /** A second server, with few projects. */
  few(): Promise<Site>
}
