/** Stores the languages of projects: those of the tip of the default branch. */
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { type ObjectId, type Repository, readRefs } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { lockProject, reuseLanguagesFor, setRepositoryFacts } from '../../spaces/projects/repository/facts.ts'
import { languagesOf } from './queries.ts'
import { languagesOfCommit } from './shares.ts'

/** Detections in progress in this process, shared by concurrent requests for the same commit. */
const running = new Map<string, Promise<void>>()

/** What the detection needs of a project; undefined for a deleted one. */
export const projectForLanguages = (db: Db, id: number) =>
  db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch', 'languages_commit'])
    .where('id', '=', id)
    .executeTakeFirst()

type LanguageSource = NonNullable<Awaited<ReturnType<typeof projectForLanguages>>>

/**
 * Updates the stored languages to the tip of the default branch; does nothing if they are current, or if there is no commit.
 * @param signal ends the detection, for a request that waits for it too
 */
export async function updateLanguages(deps: Deps, project: LanguageSource, repository: Repository, signal?: AbortSignal): Promise<void> {
  const { id: project_id } = project
  if (project.default_branch === null) return
  const [commit] = await readRefs(repository, [`refs/heads/${project.default_branch}`])
  const known = project.languages_commit
  if (commit === undefined || commit === known) return
  const key = `${project_id} ${commit}`
  const survey =
    running.get(key) ??
    languagesOfCommit(repository, commit, signal).then(shares => storeLanguages(deps, { project_id, known, commit }, shares))
  running.set(key, survey)
  await survey.finally(() => running.delete(key))
}

interface Found {
  readonly project_id: number
  readonly commit: ObjectId
  /** The commit of the stored languages. */
  readonly known: string | null
}

/** Replaces the stored languages of a project; most commits do not change them. */
async function storeLanguages(
  { database }: Deps,
  { project_id, commit, known }: Found,
  shares: ReadonlyMap<string, number>,
): Promise<void> {
  const isSame = isDeepStrictEqual(await languagesOf(database.db, project_id), Object.fromEntries(shares))
  if (isSame && (await reuseLanguagesFor(database.db, project_id, known, commit))) return
  await transact(database.db, async db => {
    if (!(await lockProject(db, project_id))) return
    await db.deleteFrom('project_languages').where('project_id', '=', project_id).execute()
    const rows = [...shares].map(([name, share]) => ({ project_id, name, share }))
    if (rows.length > 0) await db.insertInto('project_languages').values(rows).execute()
    await setRepositoryFacts(db, project_id, { languages_commit: commit })
  })
}
