/** How `go` writes paths of modules, and versions, in addresses (Go Modules Reference, "GOPROXY protocol"). Pure. */
import { parseVersion, type SemanticVersion } from '../shared/semver.ts'

const ofModule = /^(\/api\/v4\/projects\/[^/?]+\/packages\/go\/)([^?]+)(\/@v\/[^/?]*(?:\?.*)?)$/

/** `…/go/example.com/group/thing/@v/list` with the path of the module as one segment, which a route can match. */
export function encodeModule(address: string): string | undefined {
  const [, before, module, after] = ofModule.exec(address) ?? []
  if (before === undefined || module === undefined || !module.includes('/')) return undefined
  return `${before}${module.replaceAll('/', '%2F')}${after}`
}

/** Paths in addresses have `!a` in place of `A`; undefined for what is none. */
export function decodePath(text: string): string | undefined {
  const decoded = text.replace(/!([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return /[A-Z]/.test(text) || decoded.includes('!') ? undefined : decoded
}

/** The path of a module in its parts. */
export interface ModulePath {
  /** Without the part that names a major version. */
  readonly base: string
  /** The major version that the path names; undefined where it names none, as those of 0 and 1. */
  readonly major: number | undefined
}

/** `example.com/thing/v2` is major version 2 of `example.com/thing`. */
export function parseModulePath(path: string): ModulePath {
  const [, base, major] = /^(.+)\/v([1-9]\d{0,8})$/.exec(path) ?? []
  return base !== undefined && Number(major) >= 2 ? { base, major: Number(major) } : { base: path, major: undefined }
}

/** Whether versions of a path may have this one: 0 and 1 stand in no path. */
export const fitsMajor = ({ major }: ModulePath, { numbers }: SemanticVersion): boolean =>
  numbers[0] === major || (major === undefined && numbers[0] < 2)

/** A version as Go has it: with a `v`, and without metadata of a build. */
export function parseGoVersion(text: string): SemanticVersion | undefined {
  const version = text.startsWith('v') ? parseVersion(text) : undefined
  return version?.build === undefined ? version : undefined
}

/** A version that names a commit by its time and the beginning of its id. */
export interface PseudoVersion {
  /** `20260102030405`, in UTC. */
  readonly time: string
  readonly id: string
}

/** The commit of `v1.2.4-0.20260102030405-0123456789ab`; undefined for other versions (Go Modules Reference, "Pseudo-versions"). */
export function parsePseudoVersion({ numbers, prerelease }: SemanticVersion): PseudoVersion | undefined {
  const [, time, id] = /^(\d{14})-([0-9a-f]{12})$/.exec(prerelease.at(-1) ?? '') ?? []
  if (time === undefined || id === undefined) return undefined
  const isOfNone = prerelease.length === 1 && numbers[1] === 0 && numbers[2] === 0
  return isOfNone || (prerelease.length > 1 && prerelease.at(-2) === '0') ? { time, id } : undefined
}

/** The path that a `go.mod` says its module has. */
export const modulePathIn = (goMod: string): string | undefined =>
  /^[ \t]*module[ \t]+["`]?([^\s"`]+)["`]?[ \t]*(?:\/\/.*)?$/m.exec(goMod)?.[1]
