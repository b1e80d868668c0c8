/** Push rules as JSON (projects and groups API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { PushRuleRow } from './queries.ts'

const pattern = (about: string) => Nullable(text(`${about}; null where there is none`))

const fields = {
  id: integer('ID, unique on the instance'),
  created_at: DateTime('When it was created'),
  commit_message_regex: pattern('Pattern that messages of commits must have'),
  commit_message_negative_regex: pattern('Pattern that messages of commits must not have'),
  branch_name_regex: pattern('Pattern that names of branches must have'),
  author_email_regex: pattern('Pattern that addresses of authors and committers must have'),
  file_name_regex: pattern('Pattern that paths of new files must not have'),
  deny_delete_tag: flag('Whether pushes may not delete tags'),
  member_check: flag('Whether authors and committers must be users'),
  prevent_secrets: flag('Whether new files that are called as secrets are must not be pushed'),
  commit_committer_check: flag('Whether committers must be the users who push'),
  reject_unsigned_commits: flag('Whether pushed commits must be signed'),
  max_file_size: integer('Most MB of a file that is added or changed; 0: any size'),
}

const shown = ({ project_id: _, namespace_id: __, ...rest }: PushRuleRow) => rest

/** Contract: a project without push rules is answered with null, a group with 404 (public behaviour). */
export const ProjectPushRule = entity({
  name: 'ProjectPushRule',
  schema: Nullable(Type.Object({ ...fields, project_id: integer('ID of the project') }), {
    description: 'null: the project has no push rules',
  }),
  present: (row: PushRuleRow | null) => row && { ...shown(row), project_id: row.project_id as number },
})

export const PushRule = entity({ name: 'PushRule', schema: Type.Object(fields), present: shown })
