/**
 * The indexes of gems: those of RubyGems, which are values of Ruby, and the compact one of Bundler, which is lines of text (RubyGems' documentation,
 * "Compact Index API"). Those of many gems are made in pieces.
 */
import { ANY, type Dependency, type Gemspec, type Requirement } from './gemspec.ts'
import { marshal, marshalList, type RubyValue, symbol } from './marshal.ts'
import { ANYWHERE, parsePlatform } from './versions.ts'

/** A gem in an index. */
export interface GemVersion {
  readonly name: string
  readonly version: string
  readonly platform: string
}

/** A gem with what it needs. */
export type NeedyGem = GemVersion & Pick<Gemspec, 'dependencies'>

const withPlatform = ({ version, platform }: Omit<GemVersion, 'name'>) => (platform === ANYWHERE ? version : `${version}-${platform}`)

/** The name of the file of a gem, without `.gem`. */
export const fullName = (gem: GemVersion): string => `${gem.name}-${withPlatform(gem)}`

/** The names that the gem of a file may have: dashes stand in names too. */
export const namesIn = (fullName: string): string[] => [...fullName.matchAll(/-/g)].map(({ index }) => fullName.slice(0, index))

const versionValue = (version: string): RubyValue => ({ kind: 'restored', of: 'Gem::Version', from: [version] })

/** All gems of an index, before it is compressed, in pieces. */
export const specsDocument = (gems: Iterable<GemVersion>): Promise<Buffer[]> =>
  marshalList(
    (function* () {
      for (const { name, version, platform } of gems) yield [name, versionValue(version), platform]
    })(),
  )

const runtime = ({ dependencies }: Pick<Gemspec, 'dependencies'>) => dependencies.filter(({ type }) => type === 'runtime')

const written = (requirement: Requirement) => requirement.map(([operator, version]) => `${operator} ${version}`)

/** What each gem needs to run, in pieces. @param gems few at a time */
export const dependenciesDocument = (gems: AsyncIterable<readonly NeedyGem[]>): Promise<Buffer[]> =>
  marshalList(
    (async function* () {
      for await (const some of gems) yield* some.map(needsValue)
    })(),
  )

const needsValue = (gem: NeedyGem): RubyValue => ({
  kind: 'hash',
  pairs: [
    [symbol('name'), gem.name],
    [symbol('number'), gem.version],
    [symbol('platform'), gem.platform],
    [symbol('dependencies'), runtime(gem).map(({ name, requirement }) => [name, written(requirement).join(', ')])],
  ],
})

const requirementValue = (requirement: Requirement): RubyValue => ({
  kind: 'restored',
  of: 'Gem::Requirement',
  from: [requirement.map(([operator, version]) => [operator, versionValue(version)])],
})

const dependencyValue = ({ name, requirement, type }: Dependency): RubyValue => ({
  kind: 'object',
  of: 'Gem::Dependency',
  variables: { '@name': name, '@requirement': requirementValue(requirement), '@type': symbol(type), '@prerelease': false },
})

function platformValue(platform: string): RubyValue {
  if (platform === ANYWHERE) return platform
  const { cpu, os, version } = parsePlatform(platform)
  return { kind: 'object', of: 'Gem::Platform', variables: { '@cpu': cpu, '@os': os, '@version': version } }
}

/** The beginning of a day, in UTC, as Ruby dumps a time: year and month, day and hour in the bits of one number. */
function dayValue(date: string): RubyValue {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE((0xc0000000 | ((year - 1900) << 14) | ((month - 1) << 10) | (day << 5)) >>> 0)
  return { kind: 'loaded', of: 'Time', from: bytes }
}

/** The version of the format of specifications that all of RubyGems since 1.3 read. */
const SPECIFICATION_VERSION = 4

/** The specification of one gem, before it is compressed. */
export const specificationDocument = (gemspec: Gemspec): Buffer =>
  marshal({
    kind: 'loaded',
    of: 'Gem::Specification',
    from: marshal([
      gemspec.rubygems_version,
      SPECIFICATION_VERSION,
      gemspec.name,
      versionValue(gemspec.version),
      dayValue(gemspec.date),
      gemspec.summary,
      requirementValue(gemspec.required_ruby_version),
      requirementValue(gemspec.required_rubygems_version),
      gemspec.platform,
      gemspec.dependencies.map(dependencyValue),
      // The name of a project on a host that is no more.
      '',
      gemspec.email,
      gemspec.authors,
      gemspec.description,
      gemspec.homepage,
      // Whether it has documentation, which each gem has.
      true,
      platformValue(gemspec.platform),
      gemspec.licenses,
      { kind: 'hash', pairs: Object.entries(gemspec.metadata) },
    ]),
  })

/** The line of a gem in the compact index of its name: version, what it needs, the digest of its file. */
export function infoLine(gemspec: Gemspec, sha256: string): string {
  const { required_ruby_version, required_rubygems_version } = gemspec
  const needs = runtime(gemspec)
    .map(({ name, requirement }) => `${name}:${written(requirement).join('&')}`)
    .sort()
    .join(',')
  const about = [`checksum:${sha256}`, ...demand('ruby', required_ruby_version), ...demand('rubygems', required_rubygems_version)].join(',')
  return `${withPlatform(gemspec)} ${needs}|${about}`
}

const demand = (name: string, requirement: Requirement): string[] => {
  const said = written(requirement).join('&')
  return said === written(ANY).join('&') ? [] : [`${name}:${said}`]
}

/** Characters of a piece of the compact index. */
const PIECE = 64 * 1024

/** A file of the compact index, in pieces. */
export function* compactDocument(lines: readonly string[], head: readonly string[] = []): Generator<Buffer> {
  let piece = ''
  for (const line of [...head, '---', ...lines]) {
    piece += `${line}\n`
    if (piece.length < PIECE) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(piece)
}
