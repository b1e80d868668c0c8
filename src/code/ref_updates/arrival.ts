/** Effects of filling a whole repository by a fork or an import. There are no events for references, since there was no push. */
import type { Db } from '../../platform/db/connection.ts'
import { originOf } from '../../platform/events/audit/entry.ts'
import { recordEvents } from '../../platform/events/events.ts'
import { defaultBranchOf, listBranches, type RepositoryStorages, readRefs, setDefaultBranch } from '../../platform/git/index.ts'
import { lockProject, setRepositoryFacts } from '../../spaces/projects/repository/facts.ts'
import { protectFirstBranch } from '../protected_branches/commands.ts'
import { topFilesOf } from '../repository/files/top_files.ts'
import { statisticsTask } from '../repository/statistics.ts'

/**
 * Records what a project shows of its repository: the default branch (the one that HEAD names, or another if that does not exist), its
 * protection, README and licence. `db` is a transaction; `actorId` is the user who requested it. Does nothing for a deleted project; one without
 * branches stays an empty repository.
 */
export async function recordArrival(
  { db, storages, now }: { db: Db; storages: RepositoryStorages; now: Date },
  projectId: number,
  actorId: number | undefined,
): Promise<void> {
  const project = await lockProject(db, projectId)
  if (!project) return
  const repository = storages.repository(project)
  const branches = (await listBranches(repository)).map(({ name }) => name)
  const branch = [await defaultBranchOf(repository), 'main', 'master', ...branches].find(
    name => name !== undefined && branches.includes(name),
  )
  if (branch === undefined) return
  await setDefaultBranch(repository, branch)
  const [tip] = await readRefs(repository, [`refs/heads/${branch}`])
  await setRepositoryFacts(db, projectId, {
    last_activity_at: now,
    default_branch: branch,
    empty_repo: false,
    ...(tip === undefined ? {} : await topFilesOf(repository, tip)),
  })
  const protections = await protectFirstBranch(db, project, branch, now)
  const events = protections.map(event => ({ ...event, actorId }))
  await recordEvents({ db, ...originOf(null, now, actorId) }, events, [statisticsTask(projectId, now)])
}
