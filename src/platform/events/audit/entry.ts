/** An entry of the audit log, as a rule makes it of an event. */
import type { EventKind, NewEvent } from '../catalog.ts'
import type { AuditDetails, ChangeSet, Protection } from './kinds.ts'

/** What an entry can be about; lists are narrowed by it. */
export const auditEntityTypes = ['User', 'Group', 'Project', 'Instance'] as const
export type AuditEntityType = (typeof auditEntityTypes)[number]

/** The id of the instance as an entity. */
export const INSTANCE_ID = 1

export interface AuditEntity {
  readonly type: AuditEntityType
  readonly id: number
  /** Full path of a group or project, username of a user; looked up unless given. Needed where the thing is gone. */
  readonly path?: string | undefined
}

export interface AuditEntry {
  /** The project or group of the event, else the instance, unless given. */
  readonly entity?: AuditEntity | undefined
  /** What was changed inside the entity; the entity itself unless given. A user's name is looked up. */
  readonly target?: { readonly type: string; readonly id: number; readonly name?: string | undefined } | undefined
  readonly details: AuditDetails
  /** The name of what acted, where no person did. */
  readonly authorName?: string | undefined
  /** Entries with the same words here are one entry with a count. */
  readonly countedAs?: string | undefined
}

/** By whom and from where events are recorded; the context of a request is one. `db` is the transaction of the change. */
export interface AuditOrigin {
  readonly now: Date
  readonly actor: {
    readonly user: Person | undefined
    readonly sudoBy: Person | undefined
    readonly credential: { readonly kind: string; readonly impersonation?: boolean } | undefined
  }
  readonly request: { readonly id: string; readonly ip: string; readonly userAgent: string }
}

interface Person {
  readonly id: number
  readonly name?: string
  readonly username?: string
}

/** The origin of what the server does on behalf of a user, or of nobody, without a request at hand. */
export const originWithoutRequest = (now: Date, userId: number | undefined): AuditOrigin => ({
  now,
  actor: { user: userId === undefined ? undefined : { id: userId }, sudoBy: undefined, credential: undefined },
  request: { id: '', ip: '', userAgent: '' },
})

/**
 * What is kept of an origin for work that goes on after its request, or after a crash: where the request came from and by which credential.
 * The user is kept beside it, for an account may be deleted meanwhile.
 */
export interface StoredOrigin {
  readonly request: AuditOrigin['request']
  readonly credential?: { readonly kind: string; readonly impersonation?: boolean } | undefined
  readonly username?: string | undefined
  readonly sudoById?: number | undefined
}

/** The parts of an origin that are kept. */
export function toStoredOrigin({ actor, request: { id, ip, userAgent } }: Omit<AuditOrigin, 'now'>): StoredOrigin {
  const { user, credential, sudoBy } = actor
  return {
    request: { id, ip, userAgent },
    credential: credential && {
      kind: credential.kind,
      ...(credential.impersonation !== undefined && { impersonation: credential.impersonation }),
    },
    username: user?.username,
    sudoById: sudoBy?.id,
  }
}

/** The origin of what goes on for a user after the request of which this was kept; without it, as `originWithoutRequest`. */
export function originOf(kept: StoredOrigin | null, now: Date, userId: number | undefined): AuditOrigin {
  if (kept === null) return originWithoutRequest(now, userId)
  const { request, credential, username, sudoById } = kept
  return {
    now,
    request,
    actor: {
      user: userId === undefined ? undefined : { id: userId, ...(username !== undefined && { username }) },
      sudoBy: sudoById === undefined ? undefined : { id: sudoById },
      credential,
    },
  }
}

/** What the audit log says of an event: an entry, several, or none where nothing worth an entry has changed. */
export type AuditRule<K extends EventKind> = (event: NewEvent<K>, origin: AuditOrigin) => AuditEntry | readonly AuditEntry[] | undefined

/** Characters of a value that an entry shows. */
const LONGEST = 500

/** A value as an entry shows it. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** An entry for each field that has changed. */
export const entriesOf = (changes: ChangeSet | undefined, about: Omit<AuditEntry, 'details'> = {}): AuditEntry[] =>
  Object.entries(changes ?? {}).map(([change, { from, to }]) => ({ ...about, details: { change, from: textOf(from), to: textOf(to) } }))

/** Roles by level. */
const roleNames: Readonly<Record<number, string>> = {
  5: 'Minimal access',
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
}

/** The name of an access level. */
export const roleName = (level: number): string => roleNames[level] ?? String(level)

/** The ids of an event about something in a project or group, by the columns that say where it is; of the instance where neither does. */
export const inPlace = (row: {
  readonly project_id?: number | null | undefined
  readonly namespace_id?: number | null | undefined
}): { readonly projectId?: number; readonly namespaceId?: number } =>
  row.project_id != null ? { projectId: row.project_id } : row.namespace_id != null ? { namespaceId: row.namespace_id } : {}

/** Something was added, with what it may do or who may see it; nothing of that where it is empty. */
export const addedAs = (add: string, as: string | undefined): AuditDetails => (as ? { add, as } : { add })

/** What a protection gives, in words: `push: Maintainer; merge: Developer, user 5, group 3; force push`. */
export function grantsOf({ levels, allow_force_push }: Pick<Protection, 'levels' | 'allow_force_push'>): string {
  const byAction = Map.groupBy(levels, ({ action }) => action)
  const named = ({ access_level, user_id, group_id }: Protection['levels'][number]): string => {
    if (user_id != null) return `user ${user_id}`
    if (group_id != null) return `group ${group_id}`
    return access_level === 0 ? 'No one' : roleName(access_level ?? 0)
  }
  const words = [...byAction].map(([action, given]) => `${action}: ${given.map(named).join(', ')}`)
  return [...words, ...(allow_force_push ? ['force push'] : [])].join('; ')
}
