declare module 'spdx-satisfies' {
  /** Whether an SPDX expression can be met by one of the allowed licences. @throws Error the expression is not one of SPDX */
  export default function satisfies(expression: string, allowed: readonly string[]): boolean
}
