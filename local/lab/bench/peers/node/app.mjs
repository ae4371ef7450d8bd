// An Express application that serves GET /identity and lists as a short program would: it counts the
// request on the key's item, reads, and returns what it read.
import { createHash } from "node:crypto";
import { DynamoDBClient, GetItemCommand, QueryCommand, UpdateItemCommand, BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import express from "express";
import serverless from "serverless-http";

const commands = { GetItemCommand, QueryCommand, UpdateItemCommand, BatchGetItemCommand };
const table = process.env.TABLE_ACCOUNTS;

// open returns the Lambda handler. lists has, by path, the calls that a list makes after counting.
export function open(options = {}, lists = {}) {
  const client = new DynamoDBClient({ maxAttempts: 3, ...options });

  async function countRequest(request) {
    const hash = createHash("sha256").update((request.get("authorization") ?? "").replace(/^Bearer /, "")).digest("hex");
    const counted = await client.send(new UpdateItemCommand({
      TableName: table, Key: { pk: { S: `K#${hash}` }, sk: { S: "K" } }, UpdateExpression: "ADD used :one",
      ConditionExpression: "attribute_exists(pk)", ExpressionAttributeValues: { ":one": { N: "1" } }, ReturnValues: "ALL_NEW",
    }));
    return unmarshall(counted.Attributes);
  }

  const app = express();
  app.get("/api/external/v1/identity", async (request, response) => {
    const key = await countRequest(request);
    const account = await client.send(new GetItemCommand({ TableName: table, Key: { pk: { S: `A#${process.env.AGENCY}` }, sk: { S: "A" } }, ConsistentRead: true }));
    response.json({ key, agency: account.Item && unmarshall(account.Item) });
  });
  for (const [path, calls] of Object.entries(lists)) {
    app.get(path, async (request, response) => {
      await countRequest(request);
      const answers = await Promise.all(calls.map(({ operation, input }) => client.send(new commands[`${operation}Command`](input))));
      const items = answers.flatMap((a) => a.Items ?? Object.values(a.Responses ?? {}).flat()).map((item) => unmarshall(item));
      response.json({ items, nextCursor: null });
    });
  }
  return serverless(app);
}
