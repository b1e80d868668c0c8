/**
 * PATCH requests (RFC 7644 section 3.5.2): operations become changes. Pure; nothing is changed unless
 * all of them are valid.
 */
import { checkedEmail, checkedText, type Email, fullName, type Name, workEmail } from './attributes.ts'
import { refused } from './refusals.ts'

/** One operation of a request. */
export interface Operation {
  readonly op: string
  readonly path?: string | undefined
  readonly value?: unknown
}

/** The changes of a request; absent attributes are unchanged. */
export interface Changes {
  externUid?: string
  userName?: string
  name?: string
  email?: string
  active?: boolean
}

type Hash = Readonly<Record<string, unknown>>

const isHash = (value: unknown): value is Hash => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with its keys in lower case. */
const lowered = (hash: Hash): Hash => Object.fromEntries(Object.entries(hash).map(([name, value]) => [name.toLowerCase(), value]))

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Some providers write booleans as texts, in any case. */
function booleanOf(value: unknown): boolean {
  const word = String(value).toLowerCase()
  if (word !== 'true' && word !== 'false') throw refused('invalidValue', 'active must be true or false')
  return word === 'true'
}

function nameOf(value: unknown): Name {
  if (!isHash(value)) throw refused('invalidValue', 'name must be an object')
  const { formatted, familyname, givenname } = lowered(value)
  return { formatted: text(formatted), familyName: text(familyname), givenName: text(givenname) }
}

/** One address, as a text or as an object, or a list of them. */
function emailOf(value: unknown): string {
  if (Array.isArray(value)) return workEmail(value.map(emailAmong))
  return checkedEmail(isHash(value) ? emailAmong(value).value : value)
}

function emailAmong(item: unknown): Email {
  if (!isHash(item)) throw refused('invalidValue', 'emails must be a list of objects')
  const { value, type, primary } = lowered(item)
  return { value: text(value), type: text(type), primary: String(primary).toLowerCase() === 'true' }
}

const setEmail = (changes: Changes, value: unknown) => {
  changes.email = emailOf(value)
}
const setExternUid = (changes: Changes, value: unknown) => {
  changes.externUid = checkedText('externalId', value)
}

/** The attribute that each path sets, by its name in lower case (document 1, mapping table). */
const setters: Readonly<Record<string, (changes: Changes, value: unknown) => void>> = {
  id: setExternUid,
  externalid: setExternUid,
  'name.formatted': (changes, value) => {
    changes.name = checkedText('name.formatted', value)
  },
  name: (changes, value) => {
    changes.name = fullName(nameOf(value))
  },
  emails: setEmail,
  'emails.value': setEmail,
  'emails[type eq "work"]': setEmail,
  'emails[type eq "work"].value': setEmail,
  active: (changes, value) => {
    changes.active = booleanOf(value)
  },
  username: (changes, value) => {
    changes.userName = checkedText('userName', value)
  },
}

/** Keys of a value object without meaning for the account. */
const envelope = new Set(['schemas', 'meta'])

const schemaPrefix = /^urn:ietf:params:scim:schemas:core:2\.0:user:/

/** A path in normal form. @throws Refusal 400 `invalidPath` for one that is not in the table */
function knownPath(path: string): string {
  const spaced = path.trim().toLowerCase().replace(schemaPrefix, '').replaceAll(/\s+/g, ' ')
  const name = spaced.replaceAll('[ ', '[').replaceAll(' ]', ']')
  if (!Object.hasOwn(setters, name)) throw refused('invalidPath', `There is no attribute ${path} that can be changed`)
  return name
}

function set(changes: Changes, path: string, value: unknown): void {
  setters[knownPath(path)]?.(changes, value)
}

function add(changes: Changes, { path, value }: Operation): void {
  if (path !== undefined) {
    set(changes, path, value)
    return
  }
  if (!isHash(value)) throw refused('invalidValue', 'An operation without a path needs an object as its value')
  for (const [name, inner] of Object.entries(value)) if (!envelope.has(name.toLowerCase())) set(changes, name, inner)
}

/** Only `active` can be removed; an account requires the other attributes. */
function remove(changes: Changes, { path }: Operation): void {
  if (path === undefined) throw refused('noTarget', 'An operation that removes needs a path')
  if (knownPath(path) !== 'active') throw refused('mutability', `${path} cannot be removed`)
  changes.active = false
}

/** The operations by name, in lower case; `add` on a single-valued attribute replaces it (RFC 7644 section 3.5.2.1). */
const operations: Readonly<Record<string, (changes: Changes, operation: Operation) => void>> = { add, replace: add, remove }

/** The changes of the operations, in their order. @throws Refusal 400 for an invalid operation, path or value */
export function changesOf(requested: readonly Operation[]): Changes {
  const changes: Changes = {}
  for (const operation of requested) {
    const name = operation.op.toLowerCase()
    if (!Object.hasOwn(operations, name)) throw refused('invalidSyntax', `There is no operation ${operation.op}`)
    operations[name]?.(changes, operation)
  }
  return changes
}
