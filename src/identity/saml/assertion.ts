/**
 * Answers of SAML identity providers: the signature by the library, and here what the signed assertion must say. Anybody may send one, and the library
 * takes time that grows with the square of the elements: few are read where they come in, more in a thread with a time limit, and no more than any
 * provider sends.
 */
import type { Profile } from '@node-saml/node-saml'
import { decryptXml } from '@node-saml/node-saml/lib/xml.js'
import { DOMParser } from '@xmldom/xmldom'
import { isStorable } from '../../platform/kernel/request/params.ts'
import { ThreadedWork, WorkTooLarge } from '../../platform/threads/threaded_work.ts'
import { ProviderFailed } from '../providers/provider.ts'
import { nameIdFormats, type SamlService, samlOf } from './relying_party.ts'

/** What a provider has said about a person. */
export interface Said {
  /** The name, and its form where the provider gives one. */
  readonly nameId: string
  readonly nameIdFormat?: string | undefined
  /** By name: the values. */
  readonly attributes: Readonly<Record<string, readonly string[]>>
  /** How the person has signed in there. */
  readonly contexts: readonly string[]
  /** What the provider calls the session there. */
  readonly sessionIndex?: string | undefined
  /** The request that it answers; undefined: nobody has asked. */
  readonly inResponseTo?: string | undefined
}

/** An assertion that holds now. */
export interface Asserted extends Said {
  readonly assertionId: string
  readonly endsAt: Date
}

/** The longest answer in base64, in characters. */
export const LONGEST_ANSWER = 200_000

/** An element as the library reads it: attributes, text and children. */
interface Element {
  readonly $?: Readonly<Record<string, string>>
  readonly _?: string
  readonly [child: string]: unknown
}

/** What an answer is checked with: the service without its keys, which no thread can be given as they are. */
export type Verifier = Omit<SamlService, 'signing' | 'decryption'>

/** Input of the thread. */
export interface AskedAnswer {
  readonly service: Verifier
  /** What an encrypted assertion is opened with. */
  readonly decryptionKey: string | undefined
  readonly xml: string
  readonly now: Date
}

/** What the thread posts: the assertion, or why it does not count. */
export type Checked = { readonly asserted: Asserted } | { readonly refused: string }

export interface AnswerLimits {
  /** Tags and attributes that are read on the calling thread: some milliseconds at worst. */
  readonly inline: number
  /** Tags and attributes that any answer may have: a person is in thousands of groups. */
  readonly most: number
  /** Milliseconds for one of many. */
  readonly time: number
}

const standard: AnswerLimits = { inline: 800, most: 20_000, time: 5_000 }

/**
 * Checks an answer.
 * @throws ProviderFailed for one that is not signed by the provider, is meant for others, has ended, or is none
 * @throws Refusal where too many are being checked
 */
export async function verifyAnswer(
  { signing: _, decryption, ...service }: SamlService,
  answer: string,
  now: Date,
  limits = standard,
): Promise<Asserted> {
  const asked = { service, decryptionKey: decryption?.key.reveal(), xml: Buffer.from(answer, 'base64').toString('utf8'), now }
  const marks = asked.xml.match(/[<=]/g)?.length ?? 0
  // What is encrypted has elements that are not seen from outside, and anybody can encrypt.
  const isLong = marks > limits.inline || asked.xml.includes('EncryptedAssertion')
  const checked = marks > limits.most ? tooMuch : isLong ? await inThread(asked, limits) : await check(asked)
  if ('asserted' in checked) return checked.asserted
  throw new ProviderFailed(`${service.label} has sent an answer that cannot be used. Please begin again, or ask its administrators.`, {
    cause: new Error(checked.refused),
  })
}

const tooMuch: Checked = { refused: 'the answer has too many elements, or takes too long to be read' }

/** Checks an answer on the calling thread. */
export async function check({ service, decryptionKey, xml, now }: AskedAnswer): Promise<Checked> {
  try {
    const document = plainDocument(xml)
    assertForHere(service, document)
    await assertWellSigned(document, decryptionKey)
    const { profile } = await samlOf(service, undefined, decryptionKey).validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    })
    if (!profile) return { refused: 'the answer says nothing' }
    assertSuccess(document)
    const asserted = assertionIn(profile, service, now)
    assertKeepable(asserted)
    return { asserted }
  } catch (error) {
    return { refused: String((error as Error).message) }
  }
}

const threads = new ThreadedWork<AskedAnswer, Checked>(new URL('./assertion_thread.ts', import.meta.url), 256)

async function inThread(asked: AskedAnswer, { time }: AnswerLimits): Promise<Checked> {
  try {
    return await threads.run(asked, time)
  } catch (error) {
    if (error instanceof WorkTooLarge) return tooMuch
    throw error
  }
}

/** A document without types and entities. @throws Error for any other text */
export function plainDocument(xml: string): Document {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new Error('the document declares a type')
  const refuse = (message: string) => {
    throw new Error(message)
  }
  return new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } }).parseFromString(xml, 'text/xml')
}

/** Before anything else: it is sent to this address. */
function assertForHere({ callback }: Verifier, document: Document): void {
  const destination = document.documentElement.getAttribute('Destination')
  if (destination && destination !== callback) throw new Error('the answer is meant for another address')
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** The library asks for it only where there is no assertion. */
function assertSuccess(document: Document): void {
  const [status] = childrenOf(document.documentElement, 'Status')
  const codes = status ? childrenOf(status, 'StatusCode').map(code => code.getAttribute('Value')) : []
  if (codes.length !== 1 || codes[0] !== SUCCESS) throw new Error('the provider says that the sign-in has failed')
}

const childrenOf = (parent: globalThis.Element, name: string): globalThis.Element[] =>
  Array.from(parent.childNodes).filter(
    (node): node is globalThis.Element => node.nodeType === 1 && (node as globalThis.Element).localName === name,
  )

/** The methods of a signature, with the elements that they stand in: the encryption of a key has a digest too, in which collisions do no harm. */
const signatureMethods = [
  ['SignatureMethod', 'SignedInfo'],
  ['DigestMethod', 'Reference'],
] as const

/**
 * Who can make a provider sign a text of theirs, a name say, can make another text with the same SHA-1 beforehand: such signatures prove nothing, but
 * the library takes them.
 * @throws Error where a signature of the document is made with it
 */
export function assertNoWeakHash(document: Document): void {
  for (const [name, within] of signatureMethods)
    for (const method of Array.from(document.getElementsByTagNameNS('*', name))) {
      const isOfSignature = (method.parentNode as globalThis.Element | null)?.localName === within
      if (isOfSignature && /[#-]sha1$/i.test(method.getAttribute('Algorithm') ?? '')) throw new Error('the signature is made with SHA-1')
    }
}

/** The same for what is encrypted in an answer, which is opened for it. */
async function assertWellSigned(document: Document, decryptionKey: string | undefined): Promise<void> {
  assertNoWeakHash(document)
  if (decryptionKey === undefined) return
  for (const encrypted of Array.from(document.getElementsByTagNameNS('*', 'EncryptedAssertion')))
    assertNoWeakHash(plainDocument(await decryptXml(encrypted.toString(), decryptionKey)))
}

function assertionIn(profile: Profile, { issuer, callback, clockSkew }: Verifier, now: Date): Asserted {
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { Assertion?: Element }
  if (!assertion) throw new Error('there is no assertion')
  const skew = clockSkew * 1000
  const [conditions] = children(assertion, 'Conditions')
  if (textOf(children(assertion, 'Issuer')[0]) !== issuer) throw new Error('the assertion is by another issuer')
  assertTimes(conditions, now, skew)
  if (children(assertion, 'AuthnStatement').length === 0) throw new Error('nobody has signed in')
  const [subject] = children(assertion, 'Subject')
  const confirmation = confirmationIn(subject, { callback, now, skew })
  const [nameId] = children(subject, 'NameID')
  const assertionId = assertion.$?.ID
  if (!assertionId) throw new Error('the assertion has no id')
  return {
    assertionId,
    nameId: textOf(nameId),
    nameIdFormat: nameId?.$?.Format,
    attributes: attributesOf(assertion),
    contexts: children(assertion, 'AuthnStatement')
      .flatMap(statement => children(statement, 'AuthnContext'))
      .flatMap(context => children(context, 'AuthnContextClassRef'))
      .map(textOf),
    sessionIndex: children(assertion, 'AuthnStatement')[0]?.$?.SessionIndex || undefined,
    inResponseTo: confirmation.InResponseTo || undefined,
    endsAt: new Date(instant(confirmation.NotOnOrAfter) + skew),
  }
}

/** The bearer's confirmation that holds here and now: for this address, and not ended. */
function confirmationIn(
  subject: Element | undefined,
  { callback, now, skew }: { readonly callback: string; readonly now: Date; readonly skew: number },
): Readonly<Record<string, string>> {
  for (const confirmation of children(subject, 'SubjectConfirmation')) {
    const [data] = children(confirmation, 'SubjectConfirmationData')
    if (confirmation.$?.Method !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer' || data?.$?.Recipient !== callback) continue
    assertTimes(data, now, skew)
    return data.$
  }
  throw new Error('the assertion is not for the bearer at this address')
}

/** An end is required: what never ends could be sent again for ever. */
function assertTimes(element: Element | undefined, now: Date, skew: number): void {
  const { NotBefore: from, NotOnOrAfter: until } = element?.$ ?? {}
  if (instant(until) + skew <= now.getTime()) throw new Error('the assertion has ended')
  if (from !== undefined && instant(from) - skew > now.getTime()) throw new Error('the assertion does not hold yet')
}

/** After this nothing is kept: later times cannot be written as text of the usual length. */
const END_OF_TIME = Date.parse('9999-12-31T00:00:00Z')

function instant(value: string | undefined): number {
  const at = Date.parse(value ?? '')
  if (!(at <= END_OF_TIME)) throw new Error('a time is missing, or none that anything ends at')
  return at
}

/** XML has no such characters, but its reader takes them (`&#0;`), and the database does not. */
function assertKeepable(said: unknown): void {
  if (typeof said === 'string' && !isStorable(said)) throw new Error('the answer has a character that no text has')
  if (typeof said === 'object' && said !== null) for (const part of Object.entries(said).flat()) assertKeepable(part)
}

function attributesOf(assertion: Element): Record<string, string[]> {
  const found = new Map<string, string[]>()
  for (const attribute of children(assertion, 'AttributeStatement').flatMap(statement => children(statement, 'Attribute'))) {
    const name = attribute.$?.Name
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), ...children(attribute, 'AttributeValue').map(textOf)])
  }
  return Object.fromEntries(found)
}

const children = (element: Element | undefined, name: string): Element[] => {
  const found = element?.[name]
  return Array.isArray(found) ? found.map(child => (typeof child === 'string' ? { _: child } : (child as Element))) : []
}

const BLANK: ReadonlySet<string> = new Set(' \t\r\n')

/** Without the white space of XML around it, which providers add to lines. Other spaces are part of a name: `trim()` would make two people one. */
export function trimmed(text: string): string {
  let end = text.length
  while (end > 0 && BLANK.has(text[end - 1] as string)) end -= 1
  return text.slice(0, end).replace(/^[ \t\r\n]+/, '')
}

const textOf = (element: Element | undefined): string => (typeof element?._ === 'string' ? trimmed(element._) : '')

/** Is the name made for one session alone? */
export const isTransient = ({ nameIdFormat }: Said): boolean => nameIdFormat === nameIdFormats.transient
