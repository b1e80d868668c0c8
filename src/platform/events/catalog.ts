/** All events with their payloads. */
import type { AuditedEvents, ChangeSet } from './audit/kinds.ts'
import type { GroupTombstone, ProjectTombstone, UserTombstone } from './tombstones.ts'

/** Every event with its payload; `audit/rules.ts` defines what the audit log keeps of each. */
export interface Events extends AuditedEvents {
  'user.created': { user_id: number; admin?: boolean | undefined; external?: boolean | undefined }
  'user.deleted': { user_id: number; username: string; was: UserTombstone }
  'group.created': { group_id: number; visibility?: string | undefined }
  /** With the ids of the group and of those below it, which went with it. */
  'group.deleted': { group_id: number; full_path: string; group_ids: readonly number[]; was: GroupTombstone }
  'project.created': { project_id: number; visibility?: string | undefined }
  'project.deleted': { project_id: number; repository_storage: string; was: ProjectTombstone }
  /** With the former full path, if its own path or its namespace has changed. */
  'project.updated': { project_id: number; renamed_from?: string; transferred_from?: string; changes?: ChangeSet }
  'project.default_branch_changed': { project_id: number }
  'member.added': { user_id: number; access_level: number }
  'member.updated': { user_id: number; access_level: number; changes?: ChangeSet }
  'member.removed': { user_id: number }
  /** A user asked to become a member. */
  'access.requested': { user_id: number }
  'epic.created': { epic_id: number; iid: number; title: string }
  'epic.updated': { epic_id: number; changes: ChangeSet }
  'epic.deleted': { epic_id: number; iid: number; title: string }
  'snippet.created': { snippet_id: number; title: string }
  'snippet.updated': { snippet_id: number; title: string; author_id: number; changes: ChangeSet }
  'snippet.deleted': { snippet_id: number; title: string; author_id: number }
  'milestone.created': { milestone_id: number; iid: number; title: string }
  'milestone.updated': { milestone_id: number; iid: number; title: string }
  'milestone.closed': { milestone_id: number; iid: number; title: string }
  'milestone.reopened': { milestone_id: number; iid: number; title: string }
  'milestone.deleted': { milestone_id: number; iid: number; title: string }
  'issue.created': { issue_id: number }
  'issue.updated': { issue_id: number; changes: ChangeSet }
  'issue.deleted': { issue_id: number; iid: number }
  'merge_request.created': { merge_request_id: number }
  'merge_request.updated': { merge_request_id: number; changes: ChangeSet }
  'merge_request.merged': { merge_request_id: number }
  'merge_request.approved': { merge_request_id: number }
  'merge_request.unapproved': { merge_request_id: number }
  /** Its branches can no longer be merged without conflicts. */
  'merge_request.conflicted': { merge_request_id: number; head_sha: string | null }
  /** A user asked that it be merged when its pipeline succeeds. */
  'merge_request.auto_merge_set': { merge_request_id: number }
  'wiki_page.created': WikiPageEvent
  'wiki_page.updated': WikiPageEvent
  'wiki_page.deleted': WikiPageEvent
  'merge_request.deleted': { merge_request_id: number; iid: number }
  'note.created': { note_id: number }
  'note.updated': { note_id: number }
  'note.deleted': { note_id: number }
  /** A text was edited, and mentions users whom it did not mention before. Null: the description of the item. */
  'mention.added': { item: MentioningItem; note_id: number | null; user_ids: readonly number[] }
  /** A deployment started (`running`) or ended, at an instant. */
  'deployment.updated': { deployment_id: number; status: 'running' | 'success' | 'failed' | 'canceled'; at: string }
  /**
   * Merge requests reached an environment of a tier for the first time. If the tier is `production`, `first_deployed_to_production_at` is
   * set from `at` for those that have none: a listener calls the command of merge requests for it.
   */
  'deployment.brought': { deployment_id: number; tier: string; merge_request_ids: number[]; at: string }
  /** The status of a pipeline has changed. */
  'pipeline.updated': { pipeline_id: number; status: string }
  /** The status of a job, bridge or reported status has changed. */
  'job.updated': { job_id: number; status: string }
  'release.created': { release_id: number }
  'release.updated': { release_id: number }
  /** A feature flag of a project was switched on or off. */
  'feature_flag.switched': { feature_flag_id: number; active: boolean }
  'release.deleted': { release_id: number; tag: string }
  'package.deleted': { package_id: number; name: string; version: string | null; package_type: string }
  /** Tags of an image were deleted; at most a hundred of them are named. */
  'container_tags.deleted': { repository_id: number; image: string; tags: readonly string[] }
  'container_manifest.deleted': { repository_id: number; image: string; digest: string }
  'container_repository.deleted': { repository_id: number; image: string }
  'package_file.deleted': { package_id: number; name: string; version: string | null; file_name: string }
  'terraform_state.deleted': { terraform_state_id: number; name: string }
  'terraform_state_version.deleted': { terraform_state_id: number; name: string; serial: number }
  /** One reference of a repository has moved; all-zero ids mean "did not exist". */
  'reference.moved': { ref: string; old: string; new: string }
  /** A branch or tag, or several of them, was pushed or changed by the API. */
  'repository.pushed': PushData
  /** Branches and tags have moved together; `options` are the push options. */
  'repository.updated': { moves: { ref: string; old: string; new: string }[]; options?: readonly string[] }
}

/** The item whose text mentions users. */
export type MentioningItem =
  | { readonly issue_id: number }
  | { readonly merge_request_id: number }
  | { readonly epic_id: number }
  | { readonly commented_commit_id: number }
  | { readonly snippet_id: number }

export type EventKind = keyof Events

/** A page of a wiki as it was changed. */
export interface WikiPageEvent {
  readonly wiki_page_id: number
  readonly slug: string
  readonly title: string
  readonly format: string
  /** Its file, and a commit that has it; of a page that was deleted the last one that had. */
  readonly path: string
  readonly at: string
  /** The message of a commit that the API made; null for a push. */
  readonly message: string | null
}

/** An event to record. The ids say who acted and where, for event lists. */
export interface NewEvent<K extends EventKind> {
  readonly kind: K
  readonly payload: Events[K]
  readonly actorId?: number | undefined
  readonly projectId?: number | undefined
  readonly namespaceId?: number | undefined
}

/** A pushed branch or tag, or more of them than get entries of their own: then `ref_count` is their number. */
export interface PushData {
  readonly action: 'created' | 'pushed' | 'removed'
  readonly ref_type: 'branch' | 'tag'
  readonly ref: string | null
  readonly ref_count: number | null
  readonly commit_from: string | null
  readonly commit_to: string | null
  readonly commit_count: number
  readonly commit_title: string | null
}
