/** Service desks of projects: which one an address is of, and their settings. */

import { sql } from 'kysely'
import { templatesInRepository } from '../../code/templates/in_repository.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid } from '../../platform/kernel/errors.ts'
import { type AddressPattern, addressBelow, keyIn, LONGEST_LOCAL } from '../../platform/mail/incoming/addresses.ts'
import { setDesk } from '../../spaces/projects/attributes/service_desk.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'

/** What the key of a project may have. Without `-`, so that no other address of the instance ends with one. */
export const PROJECT_KEY = '[a-z0-9_]{1,40}'

/** A key at the end of what an address has for the place of the key. */
const ENDING = new RegExp(`-(${PROJECT_KEY})$`)

/** Does the address end as those of service desks with a key of their own do? */
export const endsWithProjectKey = (key: string): boolean => ENDING.test(key)

/**
 * The projects with the address that has this key, the one that has it for longest first: the address follows the path, so two may come to have the
 * same one. One statement.
 */
async function projectsAt(db: Db, pattern: AddressPattern, key: string): Promise<readonly number[]> {
  const projectKey = ENDING.exec(key)?.[1]
  if (projectKey === undefined) return []
  // As `addressBelow` makes it: of any path, the room for its beginning is the same.
  const whole = keyIn(pattern, addressBelow(pattern, 'a'.repeat(100), projectKey)) ?? ''
  const room = Math.max(0, whole.length - projectKey.length - 1)
  const { rows } = await sql<{ id: number }>`
    select projects.id from projects join routes on routes.project_id = projects.id
     where service_desk_project_key = ${projectKey}
       and ltrim(left(regexp_replace(lower(routes.path), '[^a-z0-9]+', '-', 'g'), ${room}) || '-' || service_desk_project_key, '-') = ${key}
     order by service_desk_key_set_at, projects.id limit 2`.execute(db)
  return rows.map(({ id }) => id)
}

/** The project whose service desk has this key at the end of its address. */
export async function deskOfKey({ db, deps }: Pick<Context, 'db' | 'deps'>, key: string): Promise<number | undefined> {
  const { incomingMail } = deps.config
  return incomingMail && (await projectsAt(db, incomingMail, key))[0]
}

/** The issue templates of a project's repository. */
export const issueTemplates = (ctx: Pick<Context, 'deps'>, project: ProjectRow) => templatesInRepository(ctx, project, 'issues')

export interface DeskChanges {
  readonly service_desk_enabled?: boolean | undefined
  readonly outgoing_name?: string | null | undefined
  readonly project_key?: string | null | undefined
  readonly issue_template_key?: string | null | undefined
  readonly tickets_confidential_by_default?: boolean | undefined
}

/** An empty text is what clears a setting. */
const cleared = (text: string | null | undefined): string | null | undefined => (text === undefined ? undefined : text?.trim() || null)

/**
 * Changes the settings of the service desk of a project, in a transaction of its own.
 * @throws invalid for a template that the repository does not have, and a key that leads to the address of another project
 */
export async function updateDesk(ctx: Context, project: ProjectRow, given: DeskChanges): Promise<ProjectRow> {
  const columns = {
    service_desk_enabled: given.service_desk_enabled,
    service_desk_outgoing_name: cleared(given.outgoing_name),
    service_desk_project_key: cleared(given.project_key),
    service_desk_issue_template: cleared(given.issue_template_key),
    service_desk_confidential: given.tickets_confidential_by_default,
  }
  const template = columns.service_desk_issue_template
  const isNew = template !== project.service_desk_issue_template
  if (template && isNew && !(await issueTemplates(ctx, project).find(template))) throw invalid({ issue_template_key: ['does not exist'] })
  return transact(ctx.deps.database.db, async db => {
    const tx = { ...ctx, db }
    const isNewKey = columns.service_desk_project_key !== undefined && columns.service_desk_project_key !== project.service_desk_project_key
    const failures = isNewKey && columns.service_desk_project_key ? await keyProblems(tx, project, columns.service_desk_project_key) : {}
    if (Object.keys(failures).length > 0) throw invalid(failures)
    await setDesk(tx, project, { ...columns, ...(isNewKey && { service_desk_key_set_at: ctx.now.toISOString() }) })
    return (await projectsById(db, [project.id])).get(project.id) as ProjectRow
  })
}

/** Why a project cannot have a key. Others that set the same one wait until the transaction of `ctx` ends. */
async function keyProblems({ db, deps }: Context, project: ProjectRow, projectKey: string): Promise<Failures> {
  const pattern = deps.config.incomingMail
  // Without a mailbox nobody has an address.
  if (!pattern) return {}
  await lockName(db, 'key of a service desk', projectKey)
  const address = addressBelow(pattern, project.full_path, projectKey)
  const key = keyIn(pattern, address) ?? ''
  if (!endsWithProjectKey(key) || address.lastIndexOf('@') > LONGEST_LOCAL)
    return { project_key: ['is too long for the addresses of this instance'] }
  const others = (await projectsAt(db, pattern, key)).filter(id => id !== project.id)
  return others.length > 0 ? { project_key: ['already in use for another service desk address.'] } : {}
}

/** Whether the template that was chosen is in the repository still. */
export const isTemplateMissing = async (ctx: Pick<Context, 'deps'>, project: ProjectRow): Promise<boolean> =>
  project.service_desk_issue_template !== null && !(await issueTemplates(ctx, project).find(project.service_desk_issue_template))
