/** The rules for names of references, branches and tags. */

/** Ingot's own namespaces. They keep objects alive or hold work in progress, and are hidden from fetch and push. */
export const hiddenNamespaces = ['refs/ingot/', 'refs/keep-around/', 'refs/tmp/'] as const

/** Namespaces that clients may fetch but only Ingot writes. */
export const readOnlyNamespaces = ['refs/merge-requests/', 'refs/pipelines/', 'refs/environments/'] as const

/** Namespaces that a push may write to. All others are reserved. */
export const pushableNamespaces = ['refs/heads/', 'refs/tags/', 'refs/notes/'] as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/

/**
 * The rules of git for full reference names (`git check-ref-format`), and one of ours: `refs/<kind>/refs/...` is
 * refused, since git's search for a missing `refs/heads/x` would find `refs/heads/refs/heads/x`.
 */
export function isValidRefName(name: string): boolean {
  if (!name.startsWith('refs/') || Buffer.byteLength(name) > 1024 || forbidden.test(name) || name.endsWith('.')) return false
  const parts = name.split('/')
  return parts.length > 2 && parts[1] !== 'refs' && parts[2] !== 'refs' && parts.every(isValidPart)
}

function isValidPart(part: string): boolean {
  return part !== '' && !part.startsWith('.') && !part.endsWith('.lock')
}

/**
 * May a branch or tag have this name? Beyond git's rules: no leading dash (a command line would read an option), not `HEAD`, and not 40 hex
 * digits (ambiguous with a commit id).
 */
export function isValidShortName(name: string): boolean {
  return isValidRefName(`refs/heads/${name}`) && !name.startsWith('-') && name !== 'HEAD' && name !== '@' && !/^[0-9a-f]{40}$/i.test(name)
}

/** `refs/heads/x` → `x`, `refs/tags/v1` → `v1`; undefined for any other reference. */
export function shortNameOf(ref: string): { readonly kind: 'branch' | 'tag'; readonly name: string } | undefined {
  if (ref.startsWith('refs/heads/')) return { kind: 'branch', name: ref.slice('refs/heads/'.length) }
  if (ref.startsWith('refs/tags/')) return { kind: 'tag', name: ref.slice('refs/tags/'.length) }
  return undefined
}
