import pg from 'pg'

/** What the driver calls on a query while its answer arrives; its types do not declare it. */
interface Answered {
  name: string | undefined
  callback: (error: Error | undefined, result: pg.QueryResult) => void
  handleCommandComplete: (message: unknown, connection: pg.Connection) => void
}

/**
 * Runs statements without parameters and then a query, in one round trip. Each statement is sent with a text of its own:
 * of several in one text, Citus would send all to the shards again for each SET among them.
 */
export const queryAfter = <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statements: readonly string[],
  config: pg.QueryConfig & { rowMode?: 'array' },
): Promise<pg.QueryResult<Row>> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query<Row>({ ...config, queryMode: 'extended' } as pg.QueryConfig)
    const answered = query as unknown as Answered
    answered.callback = (error, result) => (error ? reject(error) : resolve(result))
    const submitQuery = query.submit.bind(query)
    query.submit = (connection) => {
      connection.stream.cork()
      for (const text of statements) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.bind({}, true)
        connection.execute(null, true)
      }
      const failure = submitQuery(connection)
      connection.stream.uncork()
      // Otherwise the driver would take the first statement that the database has parsed for the named one.
      if (statements.length > 0) answered.name = undefined
      return failure
    }
    let left = statements.length
    const complete = answered.handleCommandComplete.bind(query)
    answered.handleCommandComplete = (message, connection) => {
      if (left === 0) return complete(message, connection)
      left--
      if (left === 0) answered.name = config.name
    }
    client.query(query)
  })
