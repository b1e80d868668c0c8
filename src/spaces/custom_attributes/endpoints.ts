/** Custom attributes of groups and projects. */
import { customAttributeEndpoints } from '../../identity/custom_attributes/family.ts'
import { inGroupBearer, inProjectBearer } from './scope.ts'

export const groupCustomAttributes = customAttributeEndpoints({
  noun: 'group',
  scope: inGroupBearer,
  can: 'admin_group_custom_attributes',
})
export const projectCustomAttributes = customAttributeEndpoints({
  noun: 'project',
  scope: inProjectBearer,
  can: 'admin_project_custom_attributes',
})
