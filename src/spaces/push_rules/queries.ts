/** Reads of push rules. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** What push rules belong to: a project, a group, or with neither the instance. */
export type RuledPlace = { readonly project_id: number } | { readonly namespace_id: number } | { readonly instance: true }

/** The push rules of exactly this place; a query of one row or none. */
export function pushRulesOf(db: Db, place: RuledPlace) {
  const query = db.selectFrom('push_rules').selectAll()
  if ('project_id' in place) return query.where('project_id', '=', place.project_id)
  if ('namespace_id' in place) return query.where('namespace_id', '=', place.namespace_id)
  return query.where('project_id', 'is', null).where('namespace_id', 'is', null)
}

export type PushRuleRow = Awaited<ReturnType<ReturnType<typeof pushRulesOf>['executeTakeFirstOrThrow']>>

/** The push rule of this place, if it has one. */
export const pushRuleOf = (db: Db, place: RuledPlace): Promise<PushRuleRow | undefined> => pushRulesOf(db, place).executeTakeFirst()

/** Gives a new project the rules of the nearest group above that has some, else those of the instance, if there are any. */
export const copyPushRule = (db: Db, projectId: number) =>
  sql`
    insert into push_rules (project_id, commit_message_regex, commit_message_negative_regex, branch_name_regex, author_email_regex,
                            file_name_regex, deny_delete_tag, member_check, prevent_secrets, commit_committer_check, reject_unsigned_commits,
                            max_file_size)
    select projects.id, rules.commit_message_regex, rules.commit_message_negative_regex, rules.branch_name_regex, rules.author_email_regex,
           rules.file_name_regex, rules.deny_delete_tag, rules.member_check, rules.prevent_secrets, rules.commit_committer_check,
           rules.reject_unsigned_commits, rules.max_file_size
      from projects join namespaces on namespaces.id = projects.namespace_id
      join push_rules rules
        on rules.project_id is null and (rules.namespace_id is null or rules.namespace_id = any(namespaces.traversal_ids))
     where projects.id = ${projectId}
     order by array_position(namespaces.traversal_ids, rules.namespace_id) desc nulls last
     limit 1`.execute(db)
