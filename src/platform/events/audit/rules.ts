/**
 * What the audit log says of every event. The table is exhaustive: a new kind of event does not compile before it has a rule here, or a
 * reason why it needs none. An event with a rule can only be recorded together with its origin (`recordEvent(ctx, …)`).
 */
import type { EventKind } from '../catalog.ts'
import { type AuditRule, addedAs, entriesOf, roleName } from './entry.ts'
import { securityRules } from './security_rules.ts'

type NotAudited = `not audited: ${string}`

const daily = 'not audited: everyday work, shown in the activity of the project' as const
const text = 'not audited: everyday work, whose history is kept beside it' as const
const derived = 'not audited: follows from another event that is' as const
const running = 'not audited: the pipeline shows who ran what' as const

/** The entity of an event whose place is gone. */
const gone = (type: 'Project' | 'Group', id: number, path: string) => ({ entity: { type, id, path } })

/** A snippet; a personal one is in the log of its author. */
const snippetOf = ({ snippet_id, title, author_id }: { snippet_id: number; title: string; author_id: number }, projectId?: number) => ({
  target: { type: 'Snippet', id: snippet_id, name: title },
  ...(projectId === undefined && { entity: { type: 'User' as const, id: author_id } }),
})

/** Groups and projects that identity providers add people to have an entry of SCIM's own. */
const byProvider = (origin: { actor: { credential: { kind: string } | undefined } }): boolean =>
  origin.actor.credential?.kind === 'scim_token'

const rules = {
  ...securityRules,
  'user.created': ({ payload: { user_id, admin, external } }) => ({
    entity: { type: 'User', id: user_id },
    details: addedAs('user', [admin ? 'administrator' : '', external ? 'external' : ''].filter(Boolean).join(', ')),
  }),
  'user.deleted': ({ payload: { user_id, username } }) => ({
    entity: { type: 'User', id: user_id, path: username },
    details: { remove: 'user' },
  }),
  'group.created': ({ payload }) => ({ entity: { type: 'Group', id: payload.group_id }, details: addedAs('group', payload.visibility) }),
  'group.deleted': ({ payload }) => ({ ...gone('Group', payload.group_id, payload.full_path), details: { remove: 'group' } }),
  'project.created': ({ payload }) => ({
    entity: { type: 'Project', id: payload.project_id },
    details: addedAs('project', payload.visibility),
  }),
  'project.deleted': ({ payload }) => ({ ...gone('Project', payload.project_id, payload.was.full_path), details: { remove: 'project' } }),
  'project.updated': ({ payload: { project_id, renamed_from, transferred_from, changes } }) => {
    const entity = { type: 'Project', id: project_id } as const
    return [
      ...(renamed_from === undefined ? [] : [{ entity, details: { custom_message: `Project path changed, it was ${renamed_from}` } }]),
      ...(transferred_from === undefined
        ? []
        : [{ entity, details: { custom_message: `Project transferred, it was ${transferred_from}` } }]),
      ...entriesOf(changes, { entity }),
    ]
  },
  'project.default_branch_changed': derived,
  'member.added': ({ payload: { user_id, access_level } }, origin) =>
    byProvider(origin) ? undefined : { target: { type: 'User', id: user_id }, details: { add: 'user_access', as: roleName(access_level) } },
  'member.updated': ({ payload: { user_id, changes = {} } }) => {
    const { access_level: level, ...others } = changes
    const named = level && { access_level: { from: roleName(level.from as number), to: roleName(level.to as number) } }
    return entriesOf({ ...named, ...others }, { target: { type: 'User', id: user_id } })
  },
  'member.removed': ({ payload: { user_id } }, origin) =>
    byProvider(origin) ? undefined : { target: { type: 'User', id: user_id }, details: { remove: 'user_access' } },
  'access.requested': daily,
  'epic.created': daily,
  'epic.updated': text,
  'epic.deleted': ({ payload: { epic_id, iid } }) => ({
    target: { type: 'Epic', id: epic_id, name: `&${iid}` },
    details: { remove: 'epic' },
  }),
  'snippet.created': daily,
  'snippet.updated': ({ payload, projectId }) => entriesOf(payload.changes, snippetOf(payload, projectId)),
  'snippet.deleted': ({ payload, projectId }) => ({ ...snippetOf(payload, projectId), details: { remove: 'snippet' } }),
  'milestone.created': daily,
  'milestone.updated': daily,
  'milestone.closed': daily,
  'milestone.reopened': daily,
  'milestone.deleted': ({ payload: { milestone_id, title } }) => ({
    target: { type: 'Milestone', id: milestone_id, name: title },
    details: { remove: 'milestone' },
  }),
  'issue.created': daily,
  'issue.updated': text,
  'issue.deleted': ({ payload: { issue_id, iid } }) => ({
    target: { type: 'Issue', id: issue_id, name: `#${iid}` },
    details: { remove: 'issue' },
  }),
  'merge_request.created': daily,
  'merge_request.updated': text,
  'merge_request.merged': daily,
  'merge_request.approved': text,
  'merge_request.unapproved': text,
  'merge_request.conflicted': derived,
  'merge_request.auto_merge_set': text,
  'merge_request.deleted': ({ payload: { merge_request_id, iid } }) => ({
    target: { type: 'MergeRequest', id: merge_request_id, name: `!${iid}` },
    details: { remove: 'merge_request' },
  }),
  'note.created': daily,
  'note.updated': daily,
  'note.deleted': daily,
  'mention.added': text,
  'wiki_page.created': text,
  'wiki_page.updated': text,
  'wiki_page.deleted': text,
  'deployment.updated': running,
  'deployment.brought': derived,
  'pipeline.updated': running,
  'job.updated': running,
  'release.created': daily,
  'release.updated': daily,
  // The update of the flag has an entry.
  'feature_flag.switched': 'not audited: recorded with feature_flag.updated',
  'release.deleted': ({ payload: { release_id, tag } }) => ({
    target: { type: 'Release', id: release_id, name: tag },
    details: { remove: 'release' },
  }),
  'package.deleted': ({ payload: { package_id, name, version } }) => ({
    target: { type: 'Package', id: package_id, name: [name, version].filter(Boolean).join(' ') },
    details: { remove: 'package' },
  }),
  'package_file.deleted': ({ payload: { package_id, name, version, file_name } }) => ({
    target: { type: 'Package', id: package_id, name: [name, version].filter(Boolean).join(' ') },
    details: { remove: 'package_file', as: file_name },
  }),
  'terraform_state.deleted': ({ payload: { terraform_state_id, name } }) => ({
    target: { type: 'TerraformState', id: terraform_state_id, name },
    details: { remove: 'terraform_state' },
  }),
  'terraform_state_version.deleted': ({ payload: { terraform_state_id, name, serial } }) => ({
    target: { type: 'TerraformState', id: terraform_state_id, name },
    details: { remove: 'terraform_state_version', as: String(serial) },
  }),
  'container_tags.deleted': ({ payload: { repository_id, image, tags } }) => ({
    target: { type: 'ContainerRepository', id: repository_id, name: image },
    details: { remove: 'container_tags', as: tags.join(', ') },
  }),
  'container_manifest.deleted': ({ payload: { repository_id, image, digest } }) => ({
    target: { type: 'ContainerRepository', id: repository_id, name: image },
    details: { remove: 'container_manifest', as: digest },
  }),
  'container_repository.deleted': ({ payload: { repository_id, image } }) => ({
    target: { type: 'ContainerRepository', id: repository_id, name: image },
    details: { remove: 'container_repository' },
  }),
  'reference.moved': ({ payload: { ref, new: to }, projectId }) => {
    const [, sort, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? []
    if (!sort || name === undefined || projectId === undefined || !/^0+$/.test(to)) return undefined
    const [type, remove] = sort === 'heads' ? ['Branch', 'branch'] : ['Tag', 'tag']
    return { target: { type, id: projectId, name }, details: { remove } }
  },
  'repository.pushed': derived,
  'repository.updated': derived,
} as const satisfies { readonly [K in EventKind]: AuditRule<K> | NotAudited }

/** The rule of each kind of event, or the reason why it has none. */
export const auditOf: { readonly [K in EventKind]: AuditRule<K> | NotAudited } = rules

type Rules = typeof rules

/** Events without an entry in the audit log: they are recorded without their origin. */
export type UnauditedKind = { [K in EventKind]: Rules[K] extends string ? K : never }[EventKind]

/** The kinds of events that have entries, in the order of the alphabet. */
export const auditedKinds = Object.entries(rules)
  .flatMap(([kind, rule]) => (typeof rule === 'string' ? [] : [kind]))
  .sort() as [EventKind, ...EventKind[]]

/** Is the audit log all that keeps events of this kind? */
export const isForAuditAlone = (kind: EventKind): boolean => kind in securityRules
