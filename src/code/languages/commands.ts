/** Keeps the languages of projects: those of the commit that the default branch has. */
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { readRefs } from '../../platform/git/objects/objects.ts'
import type { ObjectId } from '../../platform/git/objects/oid.ts'
import type { Repository } from '../../platform/git/repository.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { keepLanguagesFor, lockProject, setRepositoryFacts } from '../../spaces/projects/repository/facts.ts'
import { languagesOf } from './queries.ts'
import { languagesOfCommit } from './shares.ts'

/** Surveys under way in this process, so that many who ask for the same at once wait for one. */
const underWay = new Map<string, Promise<void>>()

/** What of a project a survey has to know; undefined for one that is gone. */
export const surveyedProject = (db: Db, id: number) =>
  db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch', 'languages_commit'])
    .where('id', '=', id)
    .executeTakeFirst()

type Surveyed = NonNullable<Awaited<ReturnType<typeof surveyedProject>>>

/** Makes the kept languages those of the default branch's commit; does nothing where they are, and where there is no such commit. */
export async function surveyLanguages(deps: Deps, project: Surveyed, repository: Repository): Promise<void> {
  const { id: project_id } = project
  if (project.default_branch === null) return
  const [commit] = await readRefs(repository, [`refs/heads/${project.default_branch}`])
  const known = project.languages_commit
  if (commit === undefined || commit === known) return
  const key = `${project_id} ${commit}`
  const survey =
    underWay.get(key) ?? languagesOfCommit(repository, commit).then(shares => keep(deps, { project_id, known, commit }, shares))
  underWay.set(key, survey)
  await survey.finally(() => underWay.delete(key))
}

interface Found {
  readonly project_id: number
  readonly commit: ObjectId
  /** The commit that the kept languages were of. */
  readonly known: string | null
}

/** Replaces the kept languages of a project; most commits leave them as they are. */
async function keep({ database }: Deps, { project_id, commit, known }: Found, shares: ReadonlyMap<string, number>): Promise<void> {
  const isSame = isDeepStrictEqual(await languagesOf(database.db, project_id), Object.fromEntries(shares))
  if (isSame && (await keepLanguagesFor(database.db, project_id, known, commit))) return
  await transact(database.db, async db => {
    if (!(await lockProject(db, project_id))) return
    await db.deleteFrom('project_languages').where('project_id', '=', project_id).execute()
    const rows = [...shares].map(([name, share]) => ({ project_id, name, share }))
    if (rows.length > 0) await db.insertInto('project_languages').values(rows).execute()
    await setRepositoryFacts(db, project_id, { languages_commit: commit })
  })
}
