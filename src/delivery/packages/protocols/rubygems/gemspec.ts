/** What a gem says of itself: the specification of Ruby in the `metadata.gz` of its archive (RubyGems' documentation, "Specification Reference"). */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { WantedYaml } from '../../../../platform/yaml/parse.ts'
import { readYamlMap, UnreadableYaml } from '../../../../platform/yaml/read.ts'
import { fileOfTar, UnfitArchive, type WantedFile } from '../../archived.ts'
import { isKeepable, unfitPackage } from '../shared/published.ts'
import { ANYWHERE, PLATFORM, VERSION } from './versions.ts'

/** Versions that fit: each has an operator and what it compares with. */
export type Requirement = readonly (readonly [operator: string, version: string])[]

/** Another gem that a gem needs. */
export interface Dependency {
  readonly name: string
  readonly requirement: Requirement
  readonly type: 'runtime' | 'development'
}

/** A specification, as far as indexes say it. */
export interface Gemspec {
  readonly name: string
  readonly version: string
  readonly platform: string
  /** `2026-01-02`. */
  readonly date: string
  readonly summary: string
  readonly description: string
  readonly homepage: string
  readonly authors: readonly string[]
  readonly email: readonly string[]
  readonly licenses: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly required_ruby_version: Requirement
  readonly required_rubygems_version: Requirement
  readonly rubygems_version: string
  readonly dependencies: readonly Dependency[]
}

/** Bytes of the specification, which lists all files, and of what is kept of it. */
const MOST_READ = 1024 * 1024
const MOST_KEPT = 64 * 1024

/** RubyGems writes it before the files of the gem. */
const metadataFile: WantedFile = {
  compression: undefined,
  isWanted: name => name === 'metadata.gz',
  size: MOST_READ,
  within: 100 * 1024 * 1024,
}

/** The names of gems. */
export const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,149}$/

const OPERATORS = ['=', '!=', '>', '<', '>=', '<=', '~>']

/** Versions that one requirement compares with. */
const MOST_PAIRS = 50

/** Any version. */
export const ANY: Requirement = [['>=', '0']]

/** What is read of a specification, of which its lists of files are most. Ruby's `null` and numbers are nothing that it has. */
const wanted: WantedYaml = {
  schema: 'ruby',
  // Old specifications name a requirement twice by an alias.
  aliases: 1_000,
  fields: [
    'name',
    'version',
    'platform',
    'date',
    'summary',
    'description',
    'homepage',
    'authors',
    'email',
    'licenses',
    'metadata',
    'required_ruby_version',
    'required_rubygems_version',
    'rubygems_version',
    'dependencies',
  ],
}

/** The specification of the gem in an archive. @throws Refusal 400 for what is no gem */
export async function readGemspec(archive: Readable): Promise<Gemspec> {
  const gemspec = specified(await parsed(await specificationIn(archive)))
  if (!isKeepable(gemspec, MOST_KEPT)) throw unfitPackage('the specification cannot be kept')
  return gemspec
}

async function specificationIn(archive: Readable): Promise<string> {
  try {
    const file = await fileOfTar(archive, metadataFile)
    if (!file) throw unfitPackage('metadata.gz was not found within a package')
    return (await unpacked(file)).toString('utf8')
  } catch (error) {
    throw error instanceof UnfitArchive ? unfitPackage(`the file is no gem: ${error.message}`) : error
  }
}

async function unpacked(file: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(file, { maxOutputLength: MOST_READ })
  } catch (error) {
    throw new UnfitArchive('metadata.gz is not compressed by gzip, or too large', { cause: error })
  }
}

type Fields = Readonly<Record<string, unknown>>

async function parsed(yaml: string): Promise<Fields> {
  try {
    return await readYamlMap(yaml, wanted)
  } catch (error) {
    throw error instanceof UnreadableYaml ? unfitPackage(`the specification ${error.message}`) : error
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unfitPackage('the specification has no map where one belongs')
  return value as Fields
}

function specified(fields: Fields): Gemspec {
  const { name, platform, date, dependencies, metadata } = fields
  if (typeof name !== 'string' || !NAME.test(name)) throw unfitPackage('Name is invalid')
  return {
    name,
    version: versionIn(fields.version),
    platform: platformIn(platform),
    date: dateIn(date),
    summary: textIn(fields.summary),
    description: textIn(fields.description),
    homepage: textIn(fields.homepage),
    authors: textsIn(fields.authors),
    email: textsIn(fields.email),
    licenses: textsIn(fields.licenses),
    metadata: isNothing(metadata) ? {} : Object.fromEntries(Object.entries(fieldsOf(metadata)).map(([key, value]) => [key, textIn(value)])),
    required_ruby_version: requirementIn(fields.required_ruby_version),
    required_rubygems_version: requirementIn(fields.required_rubygems_version),
    rubygems_version: textIn(fields.rubygems_version),
    dependencies: listIn(dependencies).map(dependencyIn),
  }
}

/** Ruby's nil is an empty scalar. */
const isNothing = (value: unknown) => value === undefined || value === ''

function textIn(value: unknown): string {
  if (isNothing(value)) return ''
  if (typeof value !== 'string') throw unfitPackage('the specification has no text where one belongs')
  return value
}

function listIn(value: unknown): readonly unknown[] {
  if (isNothing(value)) return []
  if (!Array.isArray(value)) throw unfitPackage('the specification has no list where one belongs')
  return value
}

/** Texts, of which one may stand without a list. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' && value !== ''
    ? [value]
    : listIn(value)
        .map(textIn)
        .filter(text => text !== '')

function versionIn(value: unknown): string {
  const version = typeof value === 'string' ? value : fieldsOf(value).version
  if (typeof version !== 'string' || version.length > 100 || !VERSION.test(version)) throw unfitPackage('Version is invalid')
  return version
}

function platformIn(value: unknown): string {
  const platform = textIn(value)
  if (platform === '') return ANYWHERE
  if (!PLATFORM.test(platform)) throw unfitPackage('Platform is invalid')
  return platform
}

/** The day of a time; the first one that files in gems may have, where there is none. */
const dateIn = (value: unknown): string => /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/.exec(textIn(value))?.[0] ?? '1980-01-02'

function requirementIn(value: unknown): Requirement {
  if (isNothing(value)) return ANY
  const list = listIn(fieldsOf(value).requirements)
  // An alias may name it many times.
  if (list.length > MOST_PAIRS) throw unfitPackage('a requirement is too long')
  const pairs = list.map(pair => {
    const [operator, version] = listIn(pair)
    if (typeof operator !== 'string' || !OPERATORS.includes(operator)) throw unfitPackage('an operator of a requirement is unknown')
    return [operator, versionIn(version)] as const
  })
  return pairs.length === 0 ? ANY : pairs
}

function dependencyIn(value: unknown): Dependency {
  const { name, requirement, version_requirements, type = 'runtime' } = fieldsOf(value)
  if (typeof name !== 'string' || !NAME.test(name)) throw unfitPackage('the name of a dependency is invalid')
  const kind = textIn(type).replace(/^:/, '')
  if (kind !== 'runtime' && kind !== 'development') throw unfitPackage('the type of a dependency is invalid')
  return { name, requirement: requirementIn(requirement ?? version_requirements), type: kind }
}
