/**
 * Option of Node.js for servers: a young generation of 12 MB instead of 16, which needs less memory for the same processor
 * time (docs/decisions/0081). V8 reads it only at the start of a process.
 */
export const youngGenerationFlag = '--max-semi-space-size=12';
