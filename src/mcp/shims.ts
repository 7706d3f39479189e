/**
 * Stands in for the MCP SDK's platform module in the bundle. The SDK's own brings a JSON Schema compiler that
 * takes longer to load than everything else; it checks answers to questions this server never asks.
 */
import process from 'node:process'

export { process }

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this server asks its client for nothing')
  }
}
