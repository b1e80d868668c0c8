/** What is shown of a directory. It is kept, since it is made of a commit, which does not change. */
import { readmeAmong } from '../../../code/repository/files/top_files.ts'
import { ImmutableCache, type ObjectId, type Repository, readCommit, submoduleUrls, type TreeRow } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type Html, inOnePiece } from '../../../platform/pages/html.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { pipelineChip } from '../../pipelines/status_view.ts'
import { pipelineOfEach } from '../history/pipelines.ts'
import type { RevisionPath } from '../scope.ts'
import { lastCommitLine } from './blob_view.ts'
import { directoryAt } from './queries.ts'
import { type Seen, submodulePage } from './targets/submodule.ts'
import { directoryFrame } from './tree_view.ts'

/** A directory as its page shows it. */
export interface ShownDirectory {
  readonly frame: Html
  readonly readme: TreeRow | undefined
  /** How many entries there are in all. */
  readonly total: number
  /** False: the last commits of some entries are not there yet. */
  readonly isComplete: boolean
}

/** Characters of a directory that is kept: one of 1,000 entries has half a million. */
const MOST_KEPT = 1_000_000

const known = new ImmutableCache<ShownDirectory>(40, ({ frame }) => frame.bytes.length <= MOST_KEPT)

/**
 * A directory of a revision; undefined where there is no such directory.
 * @param within milliseconds that the search for the last commits of its entries may take; to its end unless given
 */
export async function shownDirectory(
  { project, server }: Seen,
  repository: Repository,
  { ref, commit, path }: RevisionPath,
  within?: number,
): Promise<ShownDirectory | undefined> {
  const question = JSON.stringify([repository.path, project.full_path, server, ref, commit, path])
  const before = known.known(question)
  if (before) return before
  const directory = await directoryAt(repository, commit, path, within)
  if (!directory) return undefined
  const { rows, total, isComplete } = directory
  const submodules = await submodulePages({ project, server, repository, commit }, rows)
  const frame = inOnePiece(directoryFrame({ project, ref, path, submodules, ...directory }))
  const shown = { frame, readme: readmeAmong(rows), total, isComplete }
  return isComplete ? known.get(question, async () => shown) : shown
}

/** The commit that is shown, with its newest pipeline. One statement, and one object of git. */
export async function shownCommit(ctx: Context, project: ProjectWithRole, repository: Repository, id: ObjectId): Promise<Html | undefined> {
  const [lastCommit, pipelines] = await Promise.all([readCommit(repository, id), pipelineOfEach(ctx, project, [id])])
  const pipeline = pipelines.get(id)
  return lastCommitLine({ project, lastCommit }, pipeline && pipelineChip(pipeline))
}

/** The pages of the submodules of a directory, by their paths. */
async function submodulePages(
  { project, server, repository, commit }: Seen & { readonly repository: Repository; readonly commit: ObjectId },
  rows: readonly TreeRow[],
): Promise<ReadonlyMap<string, string>> {
  const modules = rows.filter(({ type }) => type === 'commit')
  const urls = modules.length > 0 ? await submoduleUrls(repository, commit) : new Map<string, string>()
  return new Map(
    modules.flatMap(({ path, id }) => {
      const url = urls.get(path)
      const page = url === undefined ? undefined : submodulePage({ url, commit: id }, { project, server })
      return page === undefined ? [] : [[path, page] as const]
    }),
  )
}
