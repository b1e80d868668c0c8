/** Imports a repository from another server, in the background. */
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import { transact } from '../../platform/db/transact.ts'
import { fetchRemote, type Remote, RemoteUnreadable, remoteHead, setDefaultBranch } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { destinationOf, OutboundRefused } from '../../platform/outbound/addresses.ts'
import { importSourceOf } from '../../spaces/projects/imports/commands.ts'
import { moveImport } from '../../spaces/projects/imports/states.ts'
import { ensureRepository } from '../../spaces/projects/repository/store.ts'
import { withRestOfRoom } from '../../spaces/storage_limits/limits.ts'
import { recordArrival } from '../ref_updates/arrival.ts'

/** Milliseconds for all of it: a server that sends a little now and then would keep a task busy for months. */
const WHOLE = 3 * 60 * 60 * 1000

/** Maximum size of an imported repository, in bytes. */
const MAX_BYTES = 20 * 1024 ** 3

/**
 * Imports all branches and tags from the project's import URL. Starts from the beginning after a crash. If the other server causes
 * a failure, the import fails with a reason; the project stays unchanged and usable.
 */
export async function importProject(deps: Deps, { project_id }: { project_id: number }): Promise<void> {
  const { db } = deps.database
  if (!(await transact(db, tx => moveImport(tx, project_id, 'start')))) return
  const project = await db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch', 'import_credentials', 'creator_id'])
    .where('id', '=', project_id)
    .executeTakeFirst()
  const source = project && importSourceOf(deps, project.import_credentials)
  // Deleted meanwhile, or no longer to be imported.
  if (!source) return
  // Nothing is fetched on behalf of an account that is no longer active.
  if (!(await actingAs(db, project.creator_id))) {
    await transact(db, tx => moveImport(tx, project_id, 'fail', 'The account that asked for the import is not active.'))
    return
  }
  try {
    const { address, port } = await destinationOf(source.url, deps.config.outboundAllow)
    const remote: Remote = { ...source, address, port }
    const repository = await ensureRepository(db, deps.storages, project)
    const head = await remoteHead(repository, remote)
    await withRestOfRoom(deps, project, (most = MAX_BYTES) =>
      fetchRemote(repository, remote, Math.min(most, MAX_BYTES), { timeoutMs: WHOLE }),
    )
    if (head !== undefined) await setDefaultBranch(repository, head)
    await transact(db, async tx => {
      await recordArrival({ db: tx, storages: deps.storages, now: deps.now() }, project_id, project.creator_id ?? undefined)
      await moveImport(tx, project_id, 'finish')
    })
  } catch (error) {
    if (!(error instanceof RemoteUnreadable || error instanceof OutboundRefused)) throw error
    deps.log.info({ project_id, host: source.url.host, err: error }, 'an import has failed')
    await transact(db, tx => moveImport(tx, project_id, 'fail', error.message))
  }
}
