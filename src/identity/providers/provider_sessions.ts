/** Sessions at providers, by what they call them: what both sides end a session by. */
import { type RawBuilder, sql } from 'kysely'

/** What a provider calls the session that a sign-in has begun there. */
export interface ProviderSession {
  /** The person. */
  readonly nameId: string
  readonly nameIdFormat?: string | undefined
  /** Which of their sessions; undefined where the provider does not say. */
  readonly sessionIndex?: string | undefined
}

/** The sessions that a provider ends. */
export interface EndedSessions {
  readonly nameId: string
  /** Those of the person that end; none: all. */
  readonly sessionIndexes: readonly string[]
}

/** Characters of a name that is kept. */
const LONGEST = 1024

/** Can a name be kept, and looked for? */
export const isKeepable = (name: string): boolean => name.length <= LONGEST && name.isWellFormed() && !name.includes('\0')

/** As it is kept; null where there is nothing that could be found again. */
export const keptSession = (session: ProviderSession | undefined): string | null =>
  session && Object.values(session).every(name => name === undefined || isKeepable(name)) ? JSON.stringify(session) : null

/** Is the `provider_session` of a row one of those that end? One without an index may be any of the person's. */
export const isEnded = ({ nameId, sessionIndexes }: EndedSessions): RawBuilder<boolean> =>
  sessionIndexes.length === 0
    ? sql<boolean>`provider_session ->> 'nameId' = ${nameId}`
    : sql<boolean>`provider_session ->> 'nameId' = ${nameId} and coalesce(provider_session ->> 'sessionIndex' = any(${sessionIndexes}), true)`
