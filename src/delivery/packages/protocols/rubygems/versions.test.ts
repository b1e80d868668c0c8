/** Versions and platforms of gems, compared with what RubyGems makes of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareGemVersions, isPrerelease, type Platform, parsePlatform } from './versions.ts'

test('versions are ordered as RubyGems orders them', () => {
  const ordered = ['0', '0.1', '1.0.a', '1.0.a.2', '1.0.b', '1.0.rc1', '1.0.rc2', '1.0.rc10', '1.0', '1.0.0.1', '1.2', '1.10', '1.10.1']
  for (const [at, one] of ordered.entries())
    for (const [place, other] of ordered.entries())
      assert.equal(Math.sign(compareGemVersions(one, other)), Math.sign(at - place), `${one} and ${other}`)
  for (const same of ['1', '1.0', '1.0.0', '01']) assert.equal(compareGemVersions('1', same), 0, same)
  assert.deepEqual(['1.0', '1.a', '1.0.rc1'].map(isPrerelease), [false, true, true])
})

test('platforms have the parts that RubyGems finds in them', () => {
  const parts: Record<string, readonly [Platform['cpu'], string, Platform['version']]> = {
    java: [null, 'java', null],
    jruby: [null, 'java', null],
    'java-1.8': ['java', 'unknown', null],
    'x86_64-linux': ['x86_64', 'linux', null],
    'x86_64-linux-gnu': ['x86_64', 'linux', null],
    'x86_64-linux-musl': ['x86_64', 'linux', 'musl'],
    'i686-linux': ['x86', 'linux', null],
    'arm64-darwin-22': ['arm64', 'darwin', '22'],
    'universal-darwin9': ['universal', 'darwin', '9'],
    'x64-mingw32': ['x64', 'mingw32', null],
    'x64-mingw-ucrt': ['x64', 'mingw', 'ucrt'],
    'x86-mswin32-60': ['x86', 'mswin32', '60'],
    mswin32: ['x86', 'mswin32', null],
    'i386-mswin32_80': ['x86', 'mswin32', '80'],
    'x86-freebsd12': ['x86', 'freebsd', '12'],
    'sparc-solaris2.8': ['sparc', 'solaris', '2.8'],
    'mips-plan9': ['mips', 'unknown', null],
  }
  for (const [text, [cpu, os, version]] of Object.entries(parts)) assert.deepEqual(parsePlatform(text), { cpu, os, version }, text)
})
