/** Limits that several rooms keep to: of texts, of names, of what is asked and answered. */

/** Longest text a brain keeps, in bytes of UTF-8. */
export const maxTextBytes = 65_536
/** Longest name (domain, agent, project), in code points after trimming. */
export const maxNameLength = 128
/** Most notes that one recall answers. */
export const maxRecalled = 50
/** Largest request in bytes: a body over HTTP, a line of MCP. */
export const maxRequestBytes = 1_048_576
