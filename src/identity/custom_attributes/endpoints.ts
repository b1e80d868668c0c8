/** Custom attributes of users. */
import { customAttributeEndpoints } from './family.ts'
import { inUserBearer } from './scope.ts'

export const userCustomAttributes = customAttributeEndpoints({ noun: 'user', scope: inUserBearer, can: 'admin_user' })
