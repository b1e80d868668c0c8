/** Providers: other services that say who a person is. The file of providers describes each (file.ts), and a kind knows its protocol. */
import Type, { type Static, type TObject } from 'typebox'
import type { Role } from '../../platform/access/abilities.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import type { Secret } from '../../platform/secret.ts'
import type { EndedSessions, ProviderSession } from './provider_sessions.ts'

/** A secret among the settings of a kind: a text in the file, a `Secret` in the program. */
export const secretSetting = (about: string) => Type.Unsafe<Secret>({ type: 'string', minLength: 1, description: about, isSecret: true })

/** A role in a group for those who are in a group of the provider. */
export interface ProvidedRole {
  /** The group as the provider names it. */
  readonly group: string
  /** Full path of the group here. */
  readonly path: string
  readonly access_level: Exclude<Role, 0>
}

/** What holds for a provider of any kind. */
export interface ProviderRules {
  /** Does a first sign-in make an account? */
  readonly allow_single_sign_on: boolean
  /** Does such an account wait for the approval of an administrator? */
  readonly block_auto_created_users: boolean
  /** Does a first sign-in link the account that has confirmed the same address, where the provider has verified it? */
  readonly auto_link_user: boolean
  /** Are accounts that it makes external? */
  readonly external: boolean
  /** Does its second factor stand for the one of this server? */
  readonly trust_second_factor: boolean
  /** Only people in one of these groups sign in; everybody where the list is empty. */
  readonly required_groups: readonly string[]
  /** People in one of these are administrators as long as they are in it. */
  readonly admin_groups: readonly string[]
  /** People in one of these are external users as long as they are in it. */
  readonly external_groups: readonly string[]
  readonly roles: readonly ProvidedRole[]
}

/** A provider of the file. */
export interface Provider<S = Record<string, unknown>> {
  /** In addresses, and as `provider` of identities. */
  readonly name: string
  /** On buttons. */
  readonly label: string
  readonly kind: ProviderKind
  /** Those of its kind, valid by the kind's schema; secrets are `Secret`. */
  readonly settings: S
  /** May it be at an address that is not public, and without TLS? */
  readonly private_address: boolean
  readonly rules: ProviderRules
  /** It is the provider of a group, which its owners have set up, and none of the file. */
  readonly ofGroup?: { readonly id: number; readonly samlProviderId: number; readonly path: string }
}

/** What a provider says about a person. */
export interface Claims {
  /** Who they are there, for ever: nobody else gets it. */
  readonly uid: string
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** Has the provider verified that the address is theirs? */
  readonly emailVerified: boolean
  /** None where it names none. */
  readonly groups: readonly string[]
  /** Those of the filters that the provider was asked about which find the person. */
  readonly filters?: readonly string[] | undefined
  /** Was a second factor given there? */
  readonly secondFactor?: boolean | undefined
  /** What the provider calls the session there, where it can be ended by that. */
  readonly session?: ProviderSession | undefined
}

/** What belongs to one attempt to sign in at a provider. */
export interface Attempt {
  /** Goes to the provider and comes back: unguessable, and works once. */
  readonly state: string
  /** A value that only this server can make from the state: a nonce, a verifier. 43 letters, digits, `-` and `_`. */
  derived(purpose: string): string
  /** The address that the provider sends the browser back to. */
  readonly callback: string
  /** What `begin` asked to keep. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Where the browser goes, and what is kept until the answer (nothing secret). */
export interface Departure {
  readonly location: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What is known when a person signs out. */
export interface WayOut {
  /** The address to come back to. */
  readonly back: string
  /** The session at the provider. */
  readonly session: ProviderSession | undefined
}

/** Sign-in by going to the provider and coming back. */
export interface ByVisit<S> {
  /** The address of the provider for an attempt. @throws ProviderFailed */
  begin(ctx: Context, provider: Provider<S>, attempt: Attempt): Promise<Departure>
  /**
   * Checks the answer, which is the query of the callback's address.
   * @throws ProviderFailed
   */
  finish(ctx: Context, provider: Provider<S>, attempt: Attempt, answer: URLSearchParams): Promise<Claims>
  /** The address that ends the session at the provider and leads back here, where it has one. @throws ProviderFailed */
  signOut?(ctx: Context, provider: Provider<S>, way: WayOut): Promise<string | undefined>
}

/** A request to end sessions as a browser brings it: a link with a signature over its query, or a form with a document that is signed. */
export type BroughtLogout = { readonly query: string } | { readonly SAMLRequest: string; readonly relayState: string }

/** Sign-in by an answer that the provider has the browser send, in a form of its own site. */
export interface ByForm<S = Record<string, unknown>> {
  /** How this server describes itself to the provider, as XML. */
  metadata(ctx: Context, provider: Provider<S>): string
  /**
   * Checks an answer and keeps it.
   * @returns the address here that goes on, with the cookies of the browser
   * @throws ProviderFailed
   */
  receive(ctx: Context, provider: Provider<S>, sent: { readonly answer: string; readonly relayState: string }): Promise<string>
  /** Who a kept answer says a person is who was not sent to the provider. @throws ProviderFailed */
  unasked(ctx: Context, provider: Provider<S>, answer: string): Promise<Claims>
  /**
   * Checks a request of the provider to end sessions, once.
   * @returns the sessions, and the address of the provider with the answer; undefined where the provider knows no single logout
   * @throws ProviderFailed
   */
  takeLogout(
    ctx: Context,
    provider: Provider<S>,
    brought: BroughtLogout,
  ): Promise<{ readonly ended: EndedSessions; readonly answer: string } | undefined>
}

/** Someone who gives a password. */
export interface PasswordLogin {
  /** The name as they typed it. */
  readonly login: string
  /** Who the account of that name is at the provider, where it is linked. */
  readonly uid: string | undefined
}

/** Sign-in with a name and a password that the provider checks, and people who can be asked for without it. */
export interface Directory<S> {
  /**
   * Undefined: the name or the password is wrong.
   * @param filters which of them find the person is said too
   * @throws ProviderFailed
   */
  byPassword(provider: Provider<S>, login: PasswordLogin, password: string, filters: readonly string[]): Promise<Claims | undefined>
  /** Those of these people who are still there, by their uid as it was given. @throws ProviderFailed */
  people(provider: Provider<S>, uids: readonly string[], filters: readonly string[]): Promise<ReadonlyMap<string, Claims>>
  /** A uid as the provider itself writes it. */
  normalizedUid(uid: string): string
}

/** What a check of a provider needs. */
export type ProviderCheck = Pick<Deps, 'config' | 'now'>

/** What a check of a provider found. */
export interface Checked {
  readonly says: string
  /** What will end it before long. */
  readonly worry?: string | undefined
}

/** A kind of provider: one protocol. */
export interface ProviderKind<S extends TObject = TObject> {
  readonly name: string
  /** Its own settings in the file; `secretSetting` marks those that become `Secret`. */
  readonly settings: S
  /** Addresses among the settings, which need TLS unless the provider is at a private address. */
  readonly addresses: readonly (keyof Static<S> & string)[]
  readonly byVisit?: ByVisit<Static<S>>
  readonly byForm?: ByForm<Static<S>>
  readonly directory?: Directory<Static<S>>
  /**
   * Asks the provider whether it can be signed in by, as far as that can be seen without a person; for administrators.
   * @throws Error in words for an administrator, or with a cause that has some
   */
  check(using: ProviderCheck, provider: Provider<Static<S>>): Promise<Checked>
  /** Refuses settings that the schema cannot. @throws Error whose message says what is wrong, without values */
  assertSettings?(settings: Static<S>): void
}

/** The provider cannot be reached, or its answer cannot be used. The message is shown; the cause goes to the log. */
export class ProviderFailed extends Error {}
