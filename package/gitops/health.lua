-- Health of every Modelberth kind for Argo CD: Degraded where a person has to act, Progressing while it gets there by
-- itself, Healthy once the present generation is ready. Fits, prices and notes do not count.
local hs = { status = "Progressing", message = "Crossplane has not looked at it yet" }
if obj.status == nil or obj.status.conditions == nil then return hs end

-- Reasons that pass by themselves; a test holds them to those whose page says "Wait".
local passing = {
  ConformanceRunning = true, EngineStarting = true, LadderExhausted = true, NoEndpoint = true, NotObserved = true,
  NotPlaced = true, RollingOut = true, WaitingForGrant = true, WaitingForNodes = true, WaitingForPolicies = true,
  WaitingForReplicas = true, WaitingForRequired = true, PoolFull = true,
}
-- Conditions that are no matter of health; Ready is judged last, and Responsive closes by itself.
local noted = {
  DeletionProtected = true, EveryFieldActs = true, PackagesMatch = true, Ready = true, Responsive = true,
}

local ready = nil
local pending = nil
for _, c in ipairs(obj.status.conditions) do
  if c.type == "Ready" then ready = c end
  if c.status ~= "True" and not noted[c.type] then
    if c.status == "False" and not passing[c.reason] then
      hs.status = "Degraded"
      hs.message = c.type .. ": " .. (c.message or c.reason)
      return hs
    end
    if pending == nil then pending = c.type .. ": " .. (c.message or c.reason) end
  end
end

local current = ready ~= nil and (ready.observedGeneration == nil or ready.observedGeneration == obj.metadata.generation)
if current and ready.status == "True" then
  hs.status = "Healthy"
  hs.message = nil
  return hs
end
hs.message = pending or "Not ready yet"
return hs
