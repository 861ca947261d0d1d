/** A function served by the SDK, as its README says: the control of the tests beside it. */
import { serve } from '@crossplane-org/function-sdk-typescript';

serve((_request, response) => response);
