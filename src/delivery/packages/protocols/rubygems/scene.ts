/** The smallest gems, for tests that publish them. */
import { gzipSync } from 'node:zlib'
import { tarOf } from '../../../../../test/archives.ts'

/** What a specification says besides its version. */
interface Specified {
  readonly name?: string
  readonly platform?: string
  /** Further lines. */
  readonly more?: string
}

/** A specification as RubyGems writes it. */
export const gemYaml = (version: string, { name = 'thing', platform = 'ruby', more = '' }: Specified = {}): string =>
  `--- !ruby/object:Gem::Specification
name: ${name}
version: !ruby/object:Gem::Version
  version: ${version}
platform: ${platform}
authors:
- Ann
autorequire:
date: 2026-01-02 00:00:00.000000000 Z
email:
summary: A thing
${more}`

/** The lines of a dependency. */
export const dependencyYaml = (name: string, operator: string, version: string, type = ':runtime'): string =>
  `- !ruby/object:Gem::Dependency
  name: ${name}
  requirement: !ruby/object:Gem::Requirement
    requirements:
    - - "${operator}"
      - !ruby/object:Gem::Version
        version: '${version}'
  type: ${type}
  prerelease: false
`

/** The archive of a gem with this specification. */
export const gemOf = (yaml: string): Buffer => tarOf(['metadata.gz', gzipSync(Buffer.from(yaml))], ['data.tar.gz', gzipSync(tarOf())])
