/** Keeps the languages of projects: those of the commit that the default branch has. */
import { transact } from '../db/transact.ts'
import type { Job } from '../events/worker.ts'
import { readRefs } from '../git/objects/objects.ts'
import type { ObjectId } from '../git/objects/oid.ts'
import type { Deps } from '../kernel/context.ts'
import { lockProject, setRepositoryFacts } from '../projects/repository_facts.ts'
import { findRepository } from '../repository/store.ts'
import { languagesOfCommit } from './shares.ts'

/** Pushes of so many milliseconds are surveyed together. */
const DELAY = 10_000

/** That the languages are found anew; to be queued in the transaction that moves the default branch. */
export const surveyOf = (project_id: number, now: Date): Job => ({
  task: 'survey_languages',
  payload: { project_id },
  options: {
    jobKey: `survey_languages ${project_id}`,
    keepsTime: true,
    runAt: new Date(now.getTime() + DELAY),
    // One at a time: it takes a core.
    queueName: 'survey',
  },
})

/** Surveys under way in this process, so that many who ask for the same at once wait for one. */
const underWay = new Map<string, Promise<void>>()

/**
 * Makes the kept languages those of the default branch's commit; does nothing where they are, and for a project that is
 * gone or empty.
 */
export async function surveyLanguages(deps: Deps, { project_id }: { project_id: number }): Promise<void> {
  const project = await deps.database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch', 'languages_commit'])
    .where('id', '=', project_id)
    .executeTakeFirst()
  const repository = project?.default_branch ? await findRepository(deps.storages, project) : undefined
  if (!project || !repository) return
  const [commit] = await readRefs(repository, [`refs/heads/${project.default_branch}`])
  if (commit === undefined || commit === project.languages_commit) return
  const key = `${project_id} ${commit}`
  const survey = underWay.get(key) ?? languagesOfCommit(repository, commit).then(shares => keep(deps, project_id, commit, shares))
  underWay.set(key, survey)
  await survey.finally(() => underWay.delete(key))
}

/** Replaces the kept languages of a project. */
async function keep({ database }: Deps, project_id: number, commit: ObjectId, shares: ReadonlyMap<string, number>): Promise<void> {
  await transact(database.db, async db => {
    if (!(await lockProject(db, project_id))) return
    await db.deleteFrom('project_languages').where('project_id', '=', project_id).execute()
    const rows = [...shares].map(([name, share]) => ({ project_id, name, share }))
    if (rows.length > 0) await db.insertInto('project_languages').values(rows).execute()
    await setRepositoryFacts(db, project_id, { languages_commit: commit })
  })
}
