/** The expiration policies of projects, as they run. */
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { compiledPattern } from '../../../platform/patterns/patterns.ts'
import { claimDuePolicies } from '../../../spaces/projects/attributes/due_policies.ts'
import type { ExpirationPolicy } from '../../../spaces/projects/attributes/expiration_policy.ts'
import { imageRulesOf } from '../../registry_protection/queries.ts'
import { levelOfImage } from '../../registry_protection/rights.ts'
import { tagRights } from '../../registry_protection/tags/rights.ts'
import { repositoriesOf } from '../queries.ts'
import { removeMatching } from './commands.ts'

/** Projects per transaction. */
const BATCH = 100

/** Queues the projects whose policies are due, each once. */
export async function runCleanupPolicies(deps: Deps): Promise<void> {
  for (;;) {
    const found = await transact(deps.database.db, async db => {
      const due = await claimDuePolicies(db, deps.now(), BATCH)
      for (const { id } of due) await enqueue(db, 'run_cleanup_policy', { project_id: id })
      return due.length
    })
    if (found < BATCH) return
  }
}

/** Removes the tags that the policy of a project names, in each of its repositories that no rule protects from deletion, but those that a rule for tags is about. Idempotent. */
export async function runCleanupPolicy(deps: Deps, { project_id }: { readonly project_id: number }, signal?: AbortSignal): Promise<void> {
  const { db } = deps.database
  const project = await db
    .selectFrom('projects')
    .select(['container_expiration_policy', 'container_registry_access_level', 'archived', 'deleting'])
    .where('id', '=', project_id)
    .executeTakeFirst()
  if (!project || project.archived || project.deleting || project.container_registry_access_level === 'disabled') return
  const policy = project.container_expiration_policy as unknown as ExpirationPolicy
  if (!policy.enabled) return
  const { name_regex, name_regex_keep } = policy
  const odd = [name_regex, name_regex_keep].find(source => source && !compiledPattern(source))
  if (odd) {
    // Policies of older releases were not checked when they were written.
    deps.log.warn({ project_id, pattern: odd }, 'an expiration policy has a pattern that is none, and removes nothing')
    return
  }
  const ctx = systemContext(deps, db)
  const rules = await imageRulesOf(db, project_id).execute()
  const rights = await tagRights(ctx, project_id)
  for (const repository of await repositoriesOf(db, project_id).execute()) {
    if (signal?.aborted) return
    if (levelOfImage(rules, repository.name, 'delete') !== undefined) continue
    await db.updateTable('container_repositories').set({ cleanup_started_at: ctx.now }).where('id', '=', repository.id).execute()
    await removeMatching(ctx, repository, { ...policy, name_regex_delete: name_regex }, name => !rights.isProtected(name))
  }
}
