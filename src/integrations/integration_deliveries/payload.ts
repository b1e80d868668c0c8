/** What integrations read of the payloads of hooks. */

/** A person in a payload. */
export interface PersonPart {
  readonly name: string | null
  readonly username: string | null
  readonly avatar_url?: string | null
}

/** A commit in a payload. */
export interface CommitPart {
  readonly id: string
  readonly title: string
  readonly message: string
  readonly url: string
  readonly author: { readonly name: string; readonly email: string }
}

/** An item in a payload. */
interface ItemPart {
  readonly iid: number
  readonly title: string
  readonly labels?: readonly { readonly title: string }[]
}

/** A payload, with the fields of all kinds of events. */
export interface Payload {
  readonly object_kind: string
  readonly project: {
    readonly id: number
    readonly name: string
    readonly web_url: string
    readonly path_with_namespace: string
    readonly default_branch: string | null
  }
  readonly user?: PersonPart
  readonly user_name?: string | null
  readonly user_avatar?: string | null
  // Pushes
  readonly ref?: string
  readonly before?: string
  readonly after?: string
  readonly commits?: readonly CommitPart[]
  readonly total_commits_count?: number
  // Issues, merge requests, comments, pipelines, pages of wikis
  readonly object_attributes?: {
    readonly id: number
    readonly iid: number
    readonly action?: string
    readonly title?: string
    readonly url?: string
    readonly description?: string | null
    readonly note?: string
    readonly ref?: string
    readonly tag?: boolean
    readonly status?: string
    readonly duration?: number | null
    readonly source_branch?: string
    readonly target_branch?: string
    readonly last_commit?: { readonly id: string } | null
    readonly message?: string
  }
  readonly labels?: readonly { readonly title: string }[]
  readonly issue?: ItemPart
  readonly merge_request?: ItemPart | null
  readonly builds?: readonly { readonly name: string; readonly stage: string; readonly status: string; readonly allow_failure: boolean }[]
  readonly commit?: CommitPart | null
  // Deployments
  readonly status?: string
  readonly environment?: string
  readonly deployable_url?: string | null
  readonly short_sha?: string
  readonly commit_url?: string
}

/** The name of the person behind an event. */
export const nameIn = ({ user, user_name }: Payload): string => user?.name ?? user_name ?? 'Someone'

/** The branch or tag of an event; undefined for events that concern neither. */
export function refIn({ object_kind, ref, object_attributes }: Payload): { readonly name: string; readonly isTag: boolean } | undefined {
  if (object_kind === 'push' && ref !== undefined) return { name: ref.replace(/^refs\/heads\//, ''), isTag: false }
  if (object_kind === 'tag_push' && ref !== undefined) return { name: ref.replace(/^refs\/tags\//, ''), isTag: true }
  if (object_kind === 'pipeline' && object_attributes?.ref !== undefined)
    return { name: object_attributes.ref, isTag: object_attributes.tag === true }
  return undefined
}
