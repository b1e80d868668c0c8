/** The memory of a running Ingot. */
import { familyOf, proportionalSize, type Shares, sharesOf } from './processes.ts'

/** Megabytes (of 1,000,000 bytes) of Ingot and of its database; undefined where the system does not tell. */
export async function memoryOf(ingot: number): Promise<Shares | undefined> {
  const family = await familyOf(ingot)
  return family && sharesOf(family, async ({ id }) => (await proportionalSize(id)) / 1e6)
}
