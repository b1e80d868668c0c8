/**
 * Variables of the type `ID` where a global id of a kind is expected, and the other way round. Clients were written for levels of the platform that
 * declare the same argument in either way, and the value is checked in any case.
 */
import { type ASTVisitor, type GraphQLError, type ValidationContext, VariablesInAllowedPositionRule } from 'graphql'
import { isIdScalar } from '../reading/ids.ts'

const isId = (name: string): boolean => name === 'ID' || isIdScalar(name)

/** Do the types differ in the kind of the id alone? */
function differInKind(error: GraphQLError): boolean {
  const [, given = '', expected = ''] = /of type "([\w[\]!]+)" used in position expecting type "([\w[\]!]+)"/.exec(error.message) ?? []
  const names = [given, expected].map(type => type.replaceAll(/[[\]!]/g, ''))
  if (!names.every(isId) || !names.includes('ID')) return false
  const shape = (type: string) => type.replace(/\w+/, '')
  return shape(given) === shape(expected) || shape(given) === `${shape(expected)}!`
}

/** The rule of the specification about the types of variables, without what is only another name for an id. */
export function lenientIds(context: ValidationContext): ASTVisitor {
  const report = (error: GraphQLError) => {
    if (!differInKind(error)) context.reportError(error)
  }
  return VariablesInAllowedPositionRule(Object.create(context, { reportError: { value: report } }))
}
