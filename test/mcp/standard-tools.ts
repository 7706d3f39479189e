/** How many tools a client is offered that does not ask for all: those of the specification. */
export const standardTools = 16
