/** References with slashes in the address of a trigger: `/projects/1/ref/feature/x/trigger/pipeline` (pipeline triggers API). */

const address = /^(\/api\/v4\/projects\/[^/?]+\/ref\/)([^?]+)(\/trigger\/pipeline\/?(?:\?.*)?)$/

/** The address with the reference as one encoded part; undefined for every other address. Pure. */
export function encodeTriggerRef(given: string): string | undefined {
  const [, before, ref = '', after] = address.exec(given) ?? []
  return before !== undefined && ref.includes('/') ? `${before}${ref.replaceAll('/', '%2F')}${after}` : undefined
}
