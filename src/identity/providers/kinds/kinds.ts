/** The kinds of providers, as the file of providers names them. */
import type { ProviderKind } from '../provider.ts'

export const kinds: readonly ProviderKind[] = []
